/** The English texts of the page on which a phone is the camera. */

import { said, teach } from "../language.js";

teach({
  "camera.title": said("This phone is the camera"),
  "camera.use": said("Use this phone as the camera"),
  "camera.how": said("Put the phone above the table so that both boards are whole in its picture, and lock its screen’s rotation. Then press the button."),
  "camera.stop": said("Stop"),
  "camera.table": said("To the table"),
  "camera.no-key": said("Open this page with the link in the terminal, or join with the code on the TV view: then this phone can be the camera."),
  "camera.insecure": said("Browsers open a camera only on an encrypted page."),
  "camera.secure": said("Open the encrypted page"),
  "camera.configure": said("Set https = true in the section [page] of the configuration, and restart the companion."),
  "camera.other": said("This table has another camera. Set driver = \"phone\" in the section [camera] of its configuration, and restart the companion."),
  "camera.refused": said("The browser does not open the camera. Allow it in the browser’s settings for this page, and try again."),
  "camera.away": said("The table’s computer does not answer. The game waits; trying again…"),
  "camera.waits": said("The table has not found the boards yet: put both empty boards into the picture."),
  "camera.held": said("Held: {what}."),
  "camera.exposure": said("exposure"),
  "camera.white": said("white balance"),
  "camera.focus": said("focus"),
  "camera.rate": said("{count} pictures a second"),
  "camera.comma": said(", "),
});
