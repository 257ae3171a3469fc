/** The tips for new players of Kvilt in each phase. */

import "../../teaching/texts.js";
import "./texts.js";

/** The lessons that are added to the tip, by phase. @type {Record<string, string>} */
const LESSONS = { pencils: "lesson.rows-wanted", colouring: "lesson.rows" };

/** Return the tip for the current phase, or null outside a game. @type {import("../../teaching/room.js").Teacher} */
export function teacher({ snapshot }, { say }) {
  const table = snapshot?.kvilt;
  if (!table || table.result || table.phase === "end") return null;
  const phase = table.complaint ? "complaint" : snapshot.phase === "looking" ? "looking" : table.phase;
  const name = table.seats.find(({ seat }) => seat === table.turn)?.name ?? "";
  return { now: say(`tips.${phase}`, { name }), lessons: LESSONS[phase] ? [{ icon: null, says: say(LESSONS[phase]) }] : [] };
}
