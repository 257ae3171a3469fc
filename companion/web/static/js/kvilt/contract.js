/**
 * Types of the server's data on a table of Kvilt. Colours are keys of the sheet's six; regions are names such as "r2c3.picture".
 *
 * @typedef {[number, number, number, number]} Rect  Left, top, width, height, in millimetres.
 * @typedef {{row: number, cell: number, frame: Rect, picture: [number, number][], points: number, points_at: Rect, bonus: string[], bonus_at: Rect}} SheetCell
 * @typedef {{outline: [number, number][], lines: [number, number][][]}} SheetPicture  Relative to the centre of its cell; `lines` are printed and not coloured.
 *
 * @typedef {object} KviltSheet
 * @property {string} id
 * @property {[number, number]} size
 * @property {{key: string, screen: string, name: Record<string, string>}[]} colours
 * @property {SheetCell[]} cells
 * @property {{id: string, points: number, column: number, region: Rect, number: Rect, tip: [number, number] | null}[]} patches
 * @property {{points: number, body: Rect[], thread: Rect, tag: Rect | null}[]} spools
 * @property {number} open_spools
 * @property {Record<string, [number, number]>} parts
 * @property {number} radius
 * @property {(Rect | null)[]} row_scores
 * @property {Record<string, SheetPicture[]>} themes  The pictures of each theme, one for each row, which replace the default ones.
 * @property {Record<string, string>} names  The names of the regions for screen readers.
 *
 * @typedef {{patches: number, rows: number[], spools: number, buttons: number, negative?: number[], total: number}} KviltScore
 *
 * @typedef {object} KviltSeat
 * @property {number} seat
 * @property {string} name
 * @property {string} colour
 * @property {boolean} moves
 * @property {string | null} bonus
 * @property {number | null} cushion
 * @property {string[]} hand
 * @property {string[]} spent
 * @property {boolean} done
 * @property {Record<string, string>} marks
 * @property {string[]} new
 * @property {number} open_spools
 * @property {KviltScore} score
 * @property {[number, number]} buttons  The number of buttons, and what each is worth.
 *
 * @typedef {{kind: string, says: string, colours: string[], numbers: number[]}} KviltOption
 * @typedef {{asks: string, seat: number, says: string, shown: number, drawn?: string | null, regions: string[], options: KviltOption[]}} KviltChoice
 *
 * @typedef {object} Kvilt
 * @property {"scraps" | "pencils" | "neutral" | "colouring" | "counting" | "end"} phase
 * @property {number} round
 * @property {number} first
 * @property {number | null} turn
 * @property {number} bag
 * @property {string[]} tokens
 * @property {{number: number, pencils: string[], owner: number | null, neutral: boolean}[]} cushions
 * @property {KviltSeat[]} seats
 * @property {string[]} variants
 * @property {KviltChoice | null} choice
 * @property {string | null} crop  The path of the camera's picture of the regions in question.
 * @property {KviltComplaint | null} complaint
 * @property {{winners: number[], says: string} | null} result
 *
 * @typedef {{seat: number, codes: string[], regions: string[], says: string}} KviltComplaint
 */

export {};
