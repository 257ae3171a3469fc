/** The English texts of the set-up. */

import { said, teach } from "../language.js";

teach({
  "setup.title": said("The next game"),
  "setup.loading": said("Fetching the box…"),
  "setup.name": said("{player}: name"),
  "setup.first": said("Who begins?"),
  "setup.by-lot": said("Draw lots"),
  "setup.language": said("Language of this table"),
  "setup.language-own": said("Each device its own"),
  "setup.leaves": said("A game is under way. It is kept, and you can go on with it later."),
  "setup.deal": said("Deal the circle"),
  "setup.begin": said("Begin the game"),
  "setup.seats": said("How many play?"),
  "setup.no-names": said("All players need a name."),
  "setup.no-name": said("Both players need a name."),
  "setup.same-name": said("The players need different names."),
  "setup.earlier": said("Go on with an earlier game"),
  "setup.go-on": said("Go on"),
  "setup.go-on-with": said("Go on with the game of {one} and {other}, {date}"),
  "setup.game": said("Which game?"),
  "setup.go-on-game": said("Go on with the game of {players}, {date}"),
  "setup.laying": said("Laying the table…"),
});
