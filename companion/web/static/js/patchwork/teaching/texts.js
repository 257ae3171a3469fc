/** The English texts of the tips for Patchwork and of its steps of the guide. */

import { counted, said, teach } from "../../language.js";

teach({
  "tips.choose": counted("{name} takes one of the three patches on offer and lays it; or advances, and gets {count} button.", "{name} takes one of the three patches on offer and lays it; or advances, and gets {count} buttons."),
  "tips.choose-any": counted("{name} takes one of the three patches after the neutral token and lays it; or advances, and gets {count} button.", "{name} takes one of the three patches after the neutral token and lays it; or advances, and gets {count} buttons."),
  "tips.poor": counted("{name} can take none of the three just now: advancing brings {count} button.", "{name} can take none of the three just now: advancing brings {count} buttons."),
  "tips.leather": said("{name} places the leather patch on any empty square, free of charge."),
  "tips.ended": said("Each button counts one point and the 7×7 tile seven; each empty square takes two away."),

  "lesson.passed": said("{name} has gone ahead, so {other} moves: it is always the turn of whoever is behind on the time track."),
  "lesson.again": said("{name} again: still behind {other}, and whoever is behind moves, however many times in a row."),
  "lesson.top": said("Both tokens are on the same space. {name} came last, is on top, and moves."),
  "lesson.income": counted("{name} passed a button on the track. That pays income: {count} button, for what is sewn on the quilt.", "{name} passed a button on the track. That pays income: {count} buttons, one for each that is sewn on the quilt."),
  "lesson.leather-near": said("Leather is within reach: the {patch} goes past it, and whoever passes it first gets that patch."),
  "lesson.double": said("The {patch} takes little time: after it {name} moves once more."),
  "lesson.worth": counted("Buttons sewn on a patch pay again and again: the {patch} brings {count} button until the end.", "Buttons sewn on a patch pay again and again: the {patch} brings {count} buttons until the end."),
  "lesson.lone": counted("{name} has {count} lone empty square. Only leather fills it; left open it costs two points.", "{name} has {count} lone empty squares. Only leather fills them; left open, each costs two points."),
  "lesson.bonus-near": said("Whoever is first to fill a square of 7×7, with no gap in it, gets a tile worth seven points."),
  "lesson.bonus-won": said("{name} was first to fill 7×7: seven points more at the end."),
  "lesson.late": said("The end is near. Every empty square costs two points, so a patch that covers much is worth more than one that pays."),
  "lesson.alone": said("{other} has arrived. {name} continues alone until there is no time left."),

  "guide.boards": said("Place both boards in view"),
  "guide.boards-says": said("Place each on its printed mat ({command}) with nothing on it: all later pictures are compared with the empty boards. Without mats: {option}."),
  "guide.boards-there": said("Both boards are seen."),
  "guide.boards-one": said("Only {name}’s board is seen so far."),
  "guide.boards-missing": said("The boards are not seen yet."),

  "guide.turn": said("A turn"),
  "guide.turn-take": said("Take one of the three patches after the neutral token, and place it on your quilt."),
  "guide.turn-confirm": said("Take your hand away and press confirm; in hands-free play, just wait. The companion looks, and says what it has seen."),
  "guide.turn-pay": said("Pay in buttons and move your token as the page says. Whoever is behind on the time track is next."),
  "guide.turn-advance": said("Would you rather have buttons than a patch? Press advance; or move your token, if the camera follows the time board."),
  "guide.turn-confirm-virtual": said("Press confirm. The companion looks, and says what it has seen."),
  "guide.turn-pay-virtual": said("Buttons, tokens and leather are kept for you. Whoever is behind on the time track is next."),
  "guide.turn-advance-virtual": said("Would you rather have buttons than a patch? Press advance."),
  "guide.turn-undo": said("Made a mistake? Press undo, and lift the patch off."),

  "guide.first": said("Now the first move"),
  "guide.first-real": said("{name} starts: place a patch, take your hand away, and press confirm on the table or on the page; in hands-free play, just wait."),
  "guide.first-virtual": said("{name} starts: drag a marked patch from the circle onto the quilt (R turns it, F flips it), then press confirm."),
  "guide.first-finger": said("{name} starts: drag a marked patch from the circle onto the quilt; or tap it, turn or flip it, and tap where it goes. Then press confirm."),
  "guide.under-way": said("The game is under way"),
  "guide.under-way-says": said("The page says whose turn it is, and why. Tips explain the rest when it matters."),
});
