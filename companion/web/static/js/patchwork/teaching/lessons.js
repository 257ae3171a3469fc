/** The tips for new players of Patchwork at each move: what they may do, and what is easily overlooked. */

import { buttonIcon, emptyIcon, leatherIcon, tileIcon, timeIcon } from "../../icons.js";
import "../../teaching/texts.js";
import { cellOf, SIDE } from "../shapes.js";
import "./texts.js";

/** The greatest number of lessons at once; more would not be read. */
const AT_ONCE = 2;
/** The number of covered squares from which a full square of 7x7 is worth mentioning. */
const MANY_COVERED = 24;
/** The space of the time track from which empty squares matter more than income. */
const LATE = 40;

/**
 * @typedef {import("../../views/page.js").Page} Page
 * @typedef {import("../../store.js").PageState} PageState
 * @typedef {import("../../contract.js").Patchwork} Patchwork
 * @typedef {import("../../contract.js").Seat} Seat
 * @typedef {import("../../contract.js").Offer} Offer
 * @typedef {{table: Patchwork, decisions: number, mover: Seat, other: Seat, last: number | null, page: Page}} Moment  `last`: the seat that made the last decision.
 * @typedef {{key: string, icon: () => Node, says: (moment: Moment) => string}} Topic  `says` returns "" if the lesson does not apply now.
 */

/** The decision of the game at which each lesson was first given; it is shown for that decision only. @type {{game: number, given: Map<string, number>}} */
const memory = { game: -1, given: new Map() };

/** Return the tip for the current move with its lessons, or null outside a game. @type {import("../../teaching/room.js").Teacher} */
export function teacher({ snapshot }, page) {
  const table = snapshot?.patchwork;
  if (!table || !snapshot.game) return null;
  if (table.result) return { now: page.say("tips.ended"), lessons: [] };
  const mover = table.seats.find(({ seat }) => seat === table.turn.seat);
  const other = table.seats.find((seat) => seat !== mover);
  if (!mover || !other) return null;
  const moment = { table, decisions: snapshot.game.decisions, mover, other, last: lastSeat(table), page };
  // Of a look, a question or a complaint the page says all that helps now.
  return ["playing", "foreseen"].includes(snapshot.phase) ? { now: now(moment), lessons: lessons(moment, snapshot.game) } : null;
}

/** @param {Patchwork} table */
function lastSeat({ money, seats }) {
  return money[0]?.seat ?? seats.find(({ pieces }) => pieces.some((piece) => piece.new))?.seat ?? null;
}

/** @param {Moment} moment */
function now({ table: { turn, offers, market_known: known }, mover: { name }, page: { say } }) {
  if (turn?.must === "leather") return say("tips.leather", { name });
  const gain = { name, count: (turn?.advance?.buttons ?? 0) + (turn?.advance?.income ?? 0) };
  if (known && !offers.some(({ affordable, fits }) => affordable && fits)) return say("tips.poor", gain);
  return say(known ? "tips.choose" : "tips.choose-any", gain);
}

/**
 * @param {Moment} moment
 * @param {{id: number, decisions: number}} game
 */
function lessons(moment, { id, decisions }) {
  if (memory.game !== id) Object.assign(memory, { game: id, given: new Map() });
  const { given } = memory;
  const found = TOPICS.filter(({ key }) => (given.get(key) ?? decisions) === decisions)
    .map(({ key, icon, says }) => ({ key, icon, says: says(moment) }))
    .filter(({ says }) => says)
    .slice(0, AT_ONCE);
  for (const { key } of found) given.set(key, decisions);
  return found.map(({ icon, says }) => ({ icon: icon(), says }));
}

/**
 * Return the patches that can be taken now, or none if the market is unknown.
 *
 * @param {Moment} moment
 */
function takeable({ table }) {
  return table.market_known ? table.offers.filter(({ affordable, fits }) => affordable && fits) : [];
}

/**
 * Return how many buttons a patch's own income pays until the end of the track.
 *
 * @param {Offer} offer
 * @param {readonly number[]} marks  The income marks of the track.
 */
function worth({ income, brings }, marks) {
  return income * marks.filter((mark) => mark > brings.time || brings.marks.includes(mark)).length;
}

/** In order of priority. @type {Topic[]} */
const TOPICS = [
  {
    key: "bonus-won",
    icon: tileIcon,
    says: ({ table, last, page }) => {
      const holder = table.seats.find(({ bonus }) => bonus);
      return holder && holder.seat === last ? page.say("lesson.bonus-won", { name: holder.name }) : "";
    },
  },
  {
    key: "alone",
    icon: timeIcon,
    says: ({ table, mover, other, page }) => (other.time === table.track.last_space ? page.say("lesson.alone", { name: mover.name, other: other.name }) : ""),
  },
  {
    key: "income",
    icon: buttonIcon,
    says: ({ table: { money, seats }, page }) => {
      const paid = money.find(({ kind, buttons }) => kind === "income" && buttons > 0);
      const name = seats.find(({ seat }) => seat === paid?.seat)?.name ?? "";
      return paid ? page.say("lesson.income", { name, count: paid.buttons }) : "";
    },
  },
  {
    key: "top",
    icon: timeIcon,
    says: ({ decisions, mover, other, page }) => (decisions && mover.time === other.time ? page.say("lesson.top", { name: mover.name }) : ""),
  },
  {
    key: "again",
    icon: timeIcon,
    says: ({ table, mover, other, last, page }) => (last === mover.seat && mover.time < other.time && table.turn.must === "choose" ? page.say("lesson.again", { name: mover.name, other: other.name }) : ""),
  },
  {
    key: "passed",
    icon: timeIcon,
    says: ({ mover, other, last, page }) => (last === other.seat && mover.time < other.time ? page.say("lesson.passed", { name: other.name, other: mover.name }) : ""),
  },
  {
    key: "leather-near",
    icon: leatherIcon,
    says: (moment) => {
      const reaches = takeable(moment).find(({ brings }) => brings.leather > 0);
      return reaches ? moment.page.say("lesson.leather-near", { patch: moment.page.say(`patch.${reaches.patch}`) }) : "";
    },
  },
  {
    key: "double",
    icon: timeIcon,
    says: (moment) => {
      const { mover, page } = moment;
      const quick = takeable(moment).find(({ brings }) => brings.next_seat === mover.seat && !brings.leather && !brings.ends);
      return quick ? page.say("lesson.double", { patch: page.say(`patch.${quick.patch}`), name: mover.name }) : "";
    },
  },
  {
    key: "worth",
    icon: buttonIcon,
    says: (moment) => {
      const marks = moment.table.track.income ?? [];
      const [best] = takeable(moment).filter((offer) => worth(offer, marks) > offer.buttons).sort((one, other) => worth(other, marks) - worth(one, marks));
      return best ? moment.page.say("lesson.worth", { patch: moment.page.say(`patch.${best.patch}`), count: worth(best, marks) }) : "";
    },
  },
  {
    key: "lone",
    icon: emptyIcon,
    says: ({ mover, page }) => {
      const count = loneSquares(mover.pieces.flatMap(({ cells }) => cells)).length;
      return count ? page.say("lesson.lone", { name: mover.name, count }) : "";
    },
  },
  {
    key: "bonus-near",
    icon: tileIcon,
    says: ({ table, mover, page }) => (81 - mover.empty >= MANY_COVERED && !table.seats.some(({ bonus }) => bonus) ? page.say("lesson.bonus-near") : ""),
  },
  {
    key: "late",
    icon: emptyIcon,
    says: ({ mover, page }) => (mover.time >= LATE ? page.say("lesson.late") : ""),
  },
];

/**
 * Return the empty squares with no empty neighbour, as [row, column]: only leather fills them.
 *
 * @param {readonly string[]} covered  Names of covered cells.
 */
function loneSquares(covered) {
  const taken = new Set(covered.map(cellOf).map(({ row, column }) => row * SIDE + column));
  const isOpen = (/** @type {number} */ row, /** @type {number} */ column) => row >= 0 && column >= 0 && row < SIDE && column < SIDE && !taken.has(row * SIDE + column);
  const all = Array.from({ length: SIDE * SIDE }, (_, index) => [Math.floor(index / SIDE), index % SIDE]);
  return all.filter(([row, column]) => isOpen(row, column) && ![[1, 0], [-1, 0], [0, 1], [0, -1]].some(([down, right]) => isOpen(row + down, column + right)));
}
