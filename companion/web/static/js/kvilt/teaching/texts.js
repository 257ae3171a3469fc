/** The English texts of the tips for Kvilt and of its steps of the guide. */

import { said, teach } from "../../language.js";

teach({
  "tips.scraps": said("{name} takes a scrap. In this round, a cell coloured in the scrap’s colour can have its background coloured too."),
  "tips.pencils": said("{name} puts pencils from the bag on pincushions, or takes a pincushion with everything on it. Whoever takes one first goes first."),
  "tips.neutral": said("The leftover pincushion is filled up. Whoever colours a cell with its sign may also use one of these pencils."),
  "tips.colouring": said("{name} colours, using each pencil once, lays the sheet flat under the camera and presses confirm."),
  "tips.counting": said("Two rows of each sheet count as negative. The lowest two are suggested; confirm takes them."),
  "lesson.rows": said("A row fills from left to right in one colour, and no two rows share a colour. Leftover pencils are lost."),
  "lesson.rows-wanted": said("Look at the rows you have started: you will want pencils in their colours."),

  "guide.sheets": said("A sheet for everybody"),
  "guide.sheets-says": said("Print one for each player ({command}) and take six coloured pencils. Colour the six boxes on it, so that the camera learns your pencils."),
  "guide.round": said("A round"),
  "guide.round-scrap": said("Take a scrap: the colour of your bonus."),
  "guide.round-pencils": said("Share out the pencils. The companion draws from the bag; you choose where they go, and take a pincushion."),
  "guide.round-colour": said("Colour, lay your sheet flat under the camera and press confirm. It is read, and the points are counted."),
  "guide.round-choose": said("The middle of the page shows what to choose. On the table, advance shows the next answer, confirm takes it, undo goes back."),
  "guide.round-first": said("Now the first choice"),
  "guide.round-first-says": said("{name} starts and takes a scrap: tap it in the middle of the page, or press confirm."),
});
