/** The English texts of the circle as the camera read it. */

import { counted, said, teach } from "../../language.js";

teach({
  "seen.title": said("The circle as the camera saw it"),
  "seen.doubts": counted("{count} place is in doubt: say which patch lies there.", "{count} places are in doubt: say which patch lies there, or tap another place."),
  "seen.orders": counted("The order of the patches is in doubt in {count} stretch.", "The order of the patches is in doubt in {count} stretches."),
  "seen.order-asks": said("How do they follow one another here, clockwise?"),
  "seen.no-way": said("In no such order"),
  "seen.looking": said("The camera is looking at the patches in the circle. This takes a few seconds; you may begin."),
  "seen.meanwhile": said("You may play on meanwhile."),
  "seen.missing": counted("{count} patch was not seen:", "{count} patches were not seen:"),
  "seen.known": said("The companion goes by it. Something is wrong? Correct it here."),
  "seen.asks": said("What lies in place {place}?"),
  "seen.cut": said("It lies partly out of the picture."),
  "seen.others": said("Another patch"),
  "seen.none": said("No patch lies there"),
  "seen.behind": said("A patch that was not seen lies behind it, clockwise"),
  "seen.right": said("This is right"),
  "seen.wait": said("Before that every place needs a name, and every patch a place."),
  "seen.unnamed": said("no name yet"),
  "seen.place-sure": said("Place {place}: {patch}"),
  "seen.place-doubtful": said("Place {place}, in doubt: {patch}"),
  "seen.place-answered": said("Place {place}, as you said: {patch}"),
});
