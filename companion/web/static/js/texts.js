/** The English texts of the page that every game needs. */

import { counted, meant, said, teach } from "./language.js";

teach({
  "page.skip": said("Skip to the game"),
  "page.help": said("Help"),
  "page.tv": said("TV view"),
  "page.theme-light": said("Light"),
  "page.theme-dark": said("Dark"),
  "page.theme": said("Colours: {name}"),
  "page.theme-auto": said("Automatic"),
  "page.voice-on": said("News are spoken"),
  "page.voice-off": said("News are not spoken"),
  "page.language": said("Language"),
  "page.controls": said("Table controls"),
  "page.news": said("What happened last"),
  "page.picture": said("The table of {game}"),
  "page.games": said("Games"),

  "page.menu": meant("button", "More"),
  "rules.title": said("The rules in two minutes"),

  "keys.title": said("Keys"),
  "keys.confirm": said("press confirm"),
  "keys.advance": said("press advance; during a question: the next answer"),
  "keys.undo": said("press undo"),
  "keys.help": said("show these keys"),
  "keys.take": said("take up the patch that has the focus; lay it where it is held"),
  "keys.move": said("from patch to patch in the circle; with a patch in hand: move it over the quilt"),
  "keys.turn": said("turn it"),
  "keys.flip": said("flip it"),
  "keys.other": said("to the other quilt"),
  "keys.back": said("put it back"),
  "keys.lift": said("take a patch off the quilt"),
  "keys.letters": said("Keys of one letter or sign work"),

  "games.players": said("{one} and {other}"),
  "games.won": said("{name} won"),
  "games.won-tie": said("{name} won the tie"),
  "games.cut-off": counted("cut off after {count} decision", "cut off after {count} decisions"),

  "link.connecting": said("Looking for the table…"),
  "link.lost": said("The table is out of reach. This page comes back by itself."),
  "link.over": said("The evening has ended. This is how the table stood."),
  "link.unreachable": said("The table does not answer. Is this device still in the same network?"),

  "turn.away": said("No table is in reach"),
  "turn.away-why": said("Is the companion running, and is this device in the same network?"),
  "turn.nobody": said("The table is being laid"),
  "turn.wait": said("The game appears here as soon as it begins."),
  "turn.wait-begin": said("Set the game up here, or press confirm at the table: it begins."),
  "turn.whose": said("{name}’s turn"),

  "table.looking": said("The camera is looking…"),
  "table.no-camera": said("No picture is coming from the camera. Is its cable in? The game waits for it."),
  "table.no-picture": said("No picture of the simulated table is coming. The game waits for it."),
  "table.awaited": said("The camera is starting…"),

  "seat.moves": said("to move"),
  "seat.wins": said("wins"),

  "list.comma": said(", "),

  "news.title": said("At the table"),

  "strip.label": said("The strip of lights on the table"),

  "question.title": said("Which is it?"),
  "question.none": said("None of these"),
  "question.hint": said("At the table: advance shows the next answer, confirm takes it, undo takes none."),

  "complaint.title": said("Something is not right yet"),
  "complaint.hint": said("The game stays as it was until this is put right on the table. If nothing is wrong, press confirm all the same, and you are asked."),
  "complaint.insist": said("It lies as I mean it"),

  "foreseen.title": said("About to be taken"),
  "foreseen.undo-title": said("About to be taken back"),
  "foreseen.stop": said("Stop"),

  "crop.caption": said("What the camera sees"),

  "press.group": said("The table’s push-buttons"),
  "press.confirm": said("Confirm"),
  "press.advance": said("Advance"),
  "press.undo": said("Undo"),
  "press.undo-last": said("take back the last"),
  "press.undo-look": said("call off the look"),

  "hand.invite": said("Invite a phone"),
  "hand.guide": said("Show me round"),
  "signals.title": said("Signals of this device"),
  "signals.sounds": said("Sounds"),
  "signals.vibration": said("Vibration"),
  "signals.notes": said("A message when the turn passes, while this page is out of sight"),
  "spoken.title": said("Voice at the table"),
  "spoken.none": said("Silence"),
  "spoken.espeak-ng": said("A plain voice"),
  "spoken.piper": said("A natural voice"),

  "tips.switch": said("Tips for new players"),
  "page.tips-on": said("Tips for new players are shown"),
  "page.tips-off": said("Tips for new players are not shown"),

  "sheet.close": said("Close"),

  "invite.title": said("Invite a phone"),
  "invite.qr": said("QR code that opens this page on a phone"),
  "invite.how": said("Scan it to join in. Or open this address and type the code:"),
  "invite.code": said("Code: "),
  "invite.alone": said("Phones cannot open this page yet: set \u2066lan = true\u2069 in the section \u2066[page]\u2069 of the configuration."),

  "invite.keyless": said("To join, take the code from the terminal. This screen shows it too once it is opened with the terminal’s link. The address:"),

  "join.label": said("Playing too? Type the code from the TV or terminal:"),
  "join.send": said("Join"),
  "join.refused": said("That code is wrong or has run out. Take the newest one."),

  "end.sheet": said("Score sheet"),
  "end.total": said("Score"),

  "hand.setup": said("Set up the game"),
  "hand.new-game": said("New game"),

  "end.again": said("Play again"),

  "setup.player": said("Player {seat}"),

  "game.patchwork": said("Patchwork"),
  "game.kvilt": said("Kvilt"),

  "game-says.patchwork": said("Two players sew patches onto their quilts."),
  "game-says.kvilt": said("Two to four players colour their sheets with pencils."),

  "hand.calibrate": meant("button", "Calibrate the table"),

  "share.title": said("A picture to share"),
});
