/** The English texts of the set-up. */

import { meant, said, teach } from "../language.js";

teach({
  "setup.title": said("The next game"),
  "setup.loading": said("Loading…"),
  "setup.name": said("{player}: name"),
  "setup.first": said("Who begins?"),
  "setup.by-lot": said("Draw lots"),
  "setup.language": said("Language of this table"),
  "setup.language-own": said("Each device’s own"),
  "setup.leaves": said("A game is in progress. It is saved, and you can resume it later."),
  "setup.deal": said("Deal the circle"),
  "setup.begin": said("Start the game"),
  "setup.seats": said("How many play?"),
  "setup.no-names": said("All players need a name."),
  "setup.no-name": said("Both players need a name."),
  "setup.same-name": said("The players need different names."),
  "setup.earlier": said("Resume an earlier game"),
  "setup.go-on": said("Resume"),
  "setup.go-on-with": said("Resume the game of {one} and {other}, {date}"),
  "setup.game": said("Which game?"),
  "setup.go-on-game": said("Resume the game of {players}, {date}"),
  "setup.who": said("{player}: who plays"),
  "setup.person": said("A person"),
  "setup.robot": said("Robot"),
  "setup.robot-level": said("The robot: {level}"),

  "level.child": meant("level", "first games"),
  "level.beginner": meant("level", "beginner"),
  "level.casual": meant("level", "casual"),
  "level.skilled": meant("level", "skilled"),
  "level.expert": meant("level", "expert"),
  "level.champion": meant("level", "champion"),
  "level.adaptive": meant("level", "about as good as you"),

  "setup.laying": said("Setting up…"),
});
