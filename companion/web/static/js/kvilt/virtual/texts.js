/** The English texts of the virtual table of Kvilt. */

import { counted, said, teach } from "../../language.js";

teach({
  "paint.tray": said("What you colour with"),
  "paint.tools": said("Pencils and a rubber"),
  "paint.pencil": said("{colour} pencil"),
  "paint.pencil-in-hand": counted("{colour} pencil, {count} in hand", "{colour} pencil, {count} in hand"),
  "paint.rubber": said("Rubber"),
  "paint.how": said("Take a pencil, then tap what you colour."),
  "paint.how-pencil": said("Tap a cell for its picture, and once more for its background. Drag over several."),
  "paint.how-rubber": said("Tap what is to be white again."),
  "paint.lay-confirm": said("Lay {name}’s sheet under the camera and confirm"),
  "paint.take-away": said("Take {name}’s sheet away"),
  "paint.camera-alt": said("The table as the camera sees it"),
  "paint.style": said("How you colour"),

  "style.even": said("evenly"),
  "style.firm": said("pressing hard"),
  "style.faint": said("faintly"),
  "style.hatched": said("in wide strokes"),
  "style.careless": said("carelessly"),
});
