/** The English texts of the tips in every game. */

import { said, teach } from "../language.js";

teach({
  "tips.title": said("What now?"),
  "tips.off": said("Switch tips off"),
  "tips.new": said("New here?"),
  "tips.offer": said("A short guide leads to the first move. Tips explain each move when it matters."),
  "tips.round": said("Show me round"),
  "tips.on": said("Only tips"),
  "tips.no": said("No, thanks"),

});
