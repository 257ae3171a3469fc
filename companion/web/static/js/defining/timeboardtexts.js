/** The English texts of the page that describes a time board. */

import { counted, meant, said, teach } from "../language.js";

teach({
  "title": said("Your time board"),
  "language": said("Language"),
  "no-key": said("Open this page with the link that the program has printed in its terminal."),
  "picture": said("Photograph of the time board"),
  "corners": said("Corners of the printed area"),
  "handle": said("{name}: handle {number}"),
  "zoom-in": said("Larger"),
  "zoom-out": said("Smaller"),
  "kept-saved": said("Saved as {file}"),
  "done": meant("step", "done"),
  "next": said("Next: {step}"),
  "undo": said("Take back"),
  "step-corners": said("Corners"),
  "step-spaces": said("Spaces"),
  "step-marks": said("Marks"),
  "how-corners": said("Drag the four corners to those of the printed area, without its border: first the upper left one, as you want to see the board."),
  "how-spaces": said("Tap the middle of each space, one after the other, from the start to the centre. Drag any that are off."),
  "how-marks": said("A button is printed, or a leather patch lies, at each of these places. Drag those that are elsewhere, then save."),
  "space": said("Space {space}"),
  "tap": said("Tap the middle of space {space}."),
  "tap-start": said("Tap the middle of the start."),
  "tap-centre": said("Tap the middle of the centre, space {space}."),
  "tapped": counted("{count} space is tapped.", "{count} spaces are tapped."),
  "mark-income": said("Income before space {space}"),
  "mark-leather": said("Leather patch before space {space}"),
  "save": meant("step", "Save"),
  "after": said("Saved. Set the file in the configuration, under {section}, and play with {option}."),
  "link.unreachable": said("The table cannot be reached."),
});
