/** The English texts of the home. */

import { counted, said, teach } from "../language.js";

teach({
  "home.title": said("What shall it be?"),
  "home.last": said("Go on with the last game"),
  "home.last-says": counted("{game}: {players}, after {count} decision", "{game}: {players}, after {count} decisions"),
  "home.opening": said("Setting up…"),
  "home.begins": counted("The demo starts by itself in {count} second.", "The demo starts by itself in {count} seconds."),
  "home.stay": said("Not now"),
  "home.settings": said("Settings"),
  "home.settings-where": said("Kept in {file}. They hold from the next game on."),
  "home.changed": said("Saved"),
  "home.back": said("Home"),
  "home.leave": said("Leave the game? It is kept, and the home offers it."),

  "home.camera": said("Which camera looks at the table?"),
  "home.camera-none": said("No camera was found. Plug one in; {command} says more."),
  "home.camera-phone": said("A phone"),
  "home.camera-phone-how": said("open {path} on it"),
  "home.camera-network": said("A camera in the network"),
  "home.camera-url": said("The address of its stream"),
  "home.camera-use": said("Use it"),
  "home.camera-again": said("Look again"),
  "home.camera-opens": said("The camera is opening…"),
  "home.camera-alt": said("What this camera sees now"),
  "home.camera-ready": said("Both boards are seen, and nothing is in the way."),
  "home.camera-begin": said("Begin"),
  "home.camera-anyway": said("Begin all the same"),
});
