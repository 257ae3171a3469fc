/** The English texts of the circle as the camera read it. */

import { counted, said, teach } from "../../language.js";

teach({
  "seen.title": said("The circle as the camera saw it"),
  "seen.doubts": counted("{count} place is uncertain: say which patch is there.", "{count} places are uncertain: say which patch is there, or tap another place."),
  "seen.orders": counted("The order of the patches is uncertain in {count} stretch.", "The order of the patches is uncertain in {count} stretches."),
  "seen.order-asks": said("In which order are they here, clockwise?"),
  "seen.no-way": said("No order fits"),
  "seen.looking": said("The camera is looking at the patches in the circle. This takes a few seconds; you can start."),
  "seen.meanwhile": said("You can play on meanwhile."),
  "seen.missing": counted("{count} patch was not seen:", "{count} patches were not seen:"),
  "seen.known": said("The companion relies on it. Is something wrong? Correct it here."),
  "seen.asks": said("What is in place {place}?"),
  "seen.cut": said("It is partly outside the picture."),
  "seen.others": said("Another patch"),
  "seen.none": said("No patch is there"),
  "seen.behind": said("A patch that was not seen is behind it, clockwise"),
  "seen.right": said("This is right"),
  "seen.wait": said("Before that, every place needs a patch, and every patch a place."),
  "seen.unnamed": said("no name yet"),
  "seen.place-sure": said("Place {place}: {patch}"),
  "seen.place-doubtful": said("Place {place}, uncertain: {patch}"),
  "seen.place-answered": said("Place {place}, as you said: {patch}"),
});
