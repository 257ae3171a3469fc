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

  "tips.looking": said("The camera is looking. Keep hands off the table until it has seen enough."),
  "tips.question": said("The companion is not sure, and decides nothing by itself. Choose what is really there."),
  "tips.complaint": said("Nothing was taken, and nothing is lost. Correct it on the table."),
});
