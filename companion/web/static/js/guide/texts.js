/** The English texts of the guide. */

import { meant, said, teach } from "../language.js";

teach({
  "guide.title": said("From here to the first move"),
  "guide.step": said("Step {number} of {last}"),
  "guide.next": meant("guide", "Next"),
  "guide.back": meant("guide", "Back"),
  "guide.begin": said("To the table"),
  "guide.go-on": said("Play on"),
  "guide.table": said("The table as the camera sees it now"),

  "guide.welcome": said("The companion keeps track"),
  "guide.welcome-real": said("You play with the real pieces, as always. A camera above the table sees each move; the companion checks it, counts, and says whose turn it is. Which language do you read?"),
  "guide.welcome-virtual": said("You need no hardware here: a table is drawn picture by picture, and you move its pieces on this page. The companion reads each move from those pictures, as it would from a camera. Which language do you read?"),

  "guide.camera": said("The camera looks straight down"),
  "guide.camera-says": said("It sees the whole playing area, with some table around it. Everyday light will do; no lamp should shine into it."),
  "guide.camera-virtual": said("What the companion sees"),
  "guide.camera-virtual-says": said("This picture is all it knows about the table. Below the boards you can dim the light or bump the camera, and see whether that fools it."),
  "guide.camera-there": said("Pictures are coming."),
  "guide.camera-missing": said("No picture yet. Is the cable plugged in? {command} says what is wrong."),
  "guide.camera-none": said("No picture yet. {doctor} says what is wrong. No camera? {simulated} draws a table that you can play at on this page."),

  "guide.players": said("Who plays?"),
  "guide.players-says": said("Set up the game: names, colours, and who starts. This guide continues from there."),
  "guide.players-there": said("The game is set up."),
  "guide.players-missing": said("No game is on the table yet."),

  "guide.works": said("It works"),
  "guide.works-says": said("That is all. From here on, tips explain what comes up; the cross on their card switches them off."),
});
