/** The English texts of the page that every game needs. */

import { counted, meant, said, teach } from "./language.js";

teach({
  "page.skip": said("Skip to the game"),
  "page.help": said("Help"),
  "page.tv": said("TV view"),
  "page.camera": said("Use this phone as the camera"),
  "page.trust": said("Trust this table"),
  "page.theme-light": said("Light"),
  "page.theme-dark": said("Dark"),
  "page.theme": said("Colours: {name}"),
  "page.theme-auto": said("Automatic"),
  "page.voice-on": said("News is spoken"),
  "page.voice-off": said("News is not spoken"),
  "page.language": said("Language"),
  "page.controls": said("Table controls"),
  "page.news": said("What happened last"),
  "page.games": said("Games"),

  "page.menu": meant("button", "More"),
  "rules.title": said("The rules in two minutes"),

  "keys.title": said("Keys"),
  "keys.confirm": said("press confirm"),
  "keys.advance": said("press advance; during a question: the next answer"),
  "keys.undo": said("press undo"),
  "keys.help": said("show these keys"),
  "keys.take": said("pick up the focused patch; put it down where you hold it"),
  "keys.move": said("from patch to patch in the circle; with a patch in hand: move it over the quilt"),
  "keys.turn": said("turn it"),
  "keys.flip": said("flip it"),
  "keys.other": said("to the other quilt"),
  "keys.back": said("put it back"),
  "keys.lift": said("take a patch off the quilt"),
  "keys.letters": said("Single-character shortcuts work"),

  "games.players": said("{one} and {other}"),
  "games.won": said("{name} won"),
  "games.won-tie": said("{name} won the tie"),
  "games.cut-off": counted("cut off after {count} decision", "cut off after {count} decisions"),

  "link.connecting": said("Looking for the table…"),
  "link.lost": said("The table cannot be reached. This page reconnects by itself."),
  "link.over": said("Play has ended. This is how the table was."),
  "link.unreachable": said("The table does not answer. Is this device still on the same network?"),

  "turn.away": said("No table is reachable"),
  "turn.away-why": said("Is the companion running, and is this device on the same network?"),
  "turn.nobody": said("Setting up the table"),
  "turn.interrupted": said("A game was interrupted"),
  "turn.damaged": said("A game is damaged"),
  "turn.whole": counted("it can go on after decision {count}", "it can go on after decision {count}"),
  "turn.wait": said("The game appears here as soon as it starts."),
  "turn.wait-begin": said("Set up the game here, or press confirm at the table to start it."),
  "turn.whose": said("{name}’s turn"),

  "table.looking": said("The camera is looking…"),
  "table.no-camera": said("The camera is sending no picture. Is its cable plugged in? The game waits for it."),
  "table.no-phone": said("No picture comes from the phone. Is its page still open? The game waits for it."),
  "table.no-picture": said("The simulated table is sending no picture. The game waits for it."),
  "table.awaited": said("The camera is starting…"),

  "seat.moves": said("to move"),
  "seat.wins": said("wins"),

  "list.comma": said(", "),

  "news.title": said("At the table"),

  "strip.label": said("The strip of lights on the table"),

  "question.title": said("Which is it?"),
  "question.none": said("None of these"),
  "question.hint": said("At the table: advance shows the next answer, confirm takes it, undo takes none of them."),

  "complaint.title": said("Something is not right yet"),
  "complaint.hint": said("The game stays as it was until you correct this on the table."),
  "complaint.hint-insist": said("The game stays as it was until you correct this on the table. If nothing is wrong, press confirm anyway, and you are asked."),
  "complaint.insist": said("It is right as it is"),

  "foreseen.title": said("About to be taken"),
  "foreseen.undo-title": said("About to be taken back"),
  "foreseen.stop": said("Stop"),

  "crop.caption": said("What the camera sees"),

  "press.group": said("The table’s push-buttons"),
  "press.confirm": said("Confirm"),
  "press.advance": said("Advance"),
  "press.undo": said("Undo"),
  "press.advance-answer": said("show the next answer"),
  "press.confirm-answer": said("take answer {number} of {last}"),
  "press.undo-last": said("take back the last"),
  "press.undo-look": said("cancel the look"),

  "hand.invite": said("Invite a phone"),
  "hand.guide": said("Show me round"),
  "signals.title": said("Signals of this device"),
  "signals.sounds": said("Sounds"),
  "signals.vibration": said("Vibration"),
  "signals.notes": said("A message when the turn changes while this page is hidden"),
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
  "invite.alone": said("Phones cannot open this page yet: set \u2066lan = true\u2069 in the \u2066[page]\u2069 section of the configuration."),

  "invite.closed": said("So far only this machine can open the page. Everyone in your home network could then watch, and whoever has the code could play. It can be closed again in the settings."),
  "invite.open": said("Let phones in"),
  "invite.no-network": said("It is open now, but this machine is in no network. Connect it, and try again."),
  "invite.keyless": said("To join, use the code in the terminal. This screen also shows it once you open it with the terminal’s link. The address:"),

  "join.label": said("Playing too? Type the code from the TV or terminal:"),
  "join.send": said("Join"),
  "join.refused": said("That code is wrong or has expired. Use the newest one."),

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
