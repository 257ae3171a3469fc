/** Texts of the rules that every game has. */

import { said, teach } from "../language.js";

teach({ "rules.title": said("The rules in two minutes") });
