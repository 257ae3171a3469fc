/**
 * Types of the data from the server. Cells are names ("A1" to "I9"), seats are 1 and 2, a patch is an id or "leather".
 *
 * @typedef {{id: string, cells: [number, number][], buttons: number, time: number, income: number}} BoxPatch
 * @typedef {{patch: string, cells: string[], turn: number, new: boolean}} Piece
 * @typedef {{mark: number, steps: number, income: number, leather: boolean}} NextMark
 *
 * @typedef {object} Seat
 * @property {number} seat
 * @property {string} name
 * @property {string} colour
 * @property {number} buttons
 * @property {number} income
 * @property {number} time
 * @property {number} empty
 * @property {boolean} bonus
 * @property {number} score
 * @property {boolean} moves
 * @property {Piece[]} pieces
 * @property {NextMark[]} next_marks
 *
 * @typedef {{time: number, steps: number, income: number, marks: number[], leather: number, buttons_after: number,
 *     income_after: number, next_seat: number | null, next_must: string | null, ends: boolean}} Brings
 * @typedef {{time: number, steps: number, buttons: number, income: number, marks: number[], leather: number,
 *     buttons_after: number, next_seat: number | null, ends: boolean}} AdvanceBrings
 * @typedef {{patch: string, cells: [number, number][], buttons: number, time: number, income: number,
 *     affordable: boolean, fits: boolean, brings: Brings}} Offer
 * @typedef {{seat: number | null, must: "choose" | "leather" | null, says: string, why: string, advance: AdvanceBrings | null, can_buy: boolean, elsewhere?: boolean}} Turn  `can_buy`: whether an offer can be paid for and fits; `elsewhere`: the robot decides, or a friend at another table.
 * @typedef {{seat: number, kind: "pay" | "earn" | "income", buttons: number, tokens: [number, number][], says: string}} Money
 * @typedef {{seat?: number, move: string, patch: string | null, cells: string[] | null, buttons?: number, says: string}} Option
 * @typedef {{seat: number, asks: string, says: string, cells: string[], choice: number, none_first: boolean, options: Option[], crop: string | null}} Question  `choice` is the option on display, -1 for none of them; `none_first`: none of them is the likelier answer.
 * @typedef {{seat: number, quilt: number, reason: string, says: string, cells: string[], insists: boolean, regions?: string[], crop: string | null}} Complaint  `quilt` is the seat whose quilt the cells are on; `insists`: players may keep the pieces as they lie.
 * @typedef {{seat: number, move: string, patch: string | null, cells: string[] | null, says: string, pause_s: number, undoes?: boolean}} Foreseen  `undoes`: the latest decision will be undone.
 * @typedef {{number: number, kind: string, says: string, first: number}} News  `first` is the number of the first sentence about the same event.
 * @typedef {{what: "buttons" | "bonus" | "empty", count: number, points: number}} SheetLine
 * @typedef {{winner: number, says: string, tie: boolean, first_home: number, sheet: {seat: number, name: string, lines: SheetLine[], total: number}[]}} Result
 *
 * @typedef {{id: number, game: string, players: string[], decisions: number, damaged?: boolean}} Interrupted  `decisions`: of a damaged game those that are whole.
 *
 * @typedef {object} Patchwork
 * @property {Seat[]} seats
 * @property {import("./patchwork/track.js").Track} track
 * @property {Turn} turn
 * @property {Offer[]} offers
 * @property {boolean} market_known
 * @property {string[]} circle
 * @property {string[]} circle_hints  Current hints to the players about the circle.
 * @property {Money[]} money
 * @property {Question | null} question
 * @property {Complaint | null} complaint
 * @property {Foreseen | null} foreseen
 * @property {Option | null} proposed  A partner's decision, which a person carries out.
 * @property {Result | null} result
 *
 * @typedef {object} Snapshot  What belongs to a game is nested under the game's name.
 * @property {number} number
 * @property {"waiting" | "playing" | "looking" | "question" | "complaint" | "foreseen" | "finished"} phase
 * @property {boolean} over
 * @property {string | null} room  The room of the home that is open, "" for none; null if there is no home.
 * @property {{name: string, title: string, id: number, decisions: number, finished: boolean} | null} game
 * @property {number} asked  The number of the current question, in any game; 0 if there is none.
 * @property {News[]} news
 * @property {{pixels: string[]}} strip
 * @property {Patchwork | null} [patchwork]  The table of a game of Patchwork, else null.
 * @property {import("./kvilt/contract.js").Kvilt | null} [kvilt]  The table of a game of Kvilt, else null.
 * @property {{seat: number, name: string, code: string, is_there: boolean | null, word: string, own_word: string, wish: number} | null} friend  The friend at another table; `wish`: how many decisions to take back; `is_there`: null while it is unknown whether that table is on.
 * @property {{camera: boolean, awaited: boolean, boards_seen: boolean, in_view: number[], looking: boolean, waiting_for: string, interrupted: Interrupted | null}} table  `interrupted`: the game that may be resumed while the table waits for an answer.
 */

export {};
