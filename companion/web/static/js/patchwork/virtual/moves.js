/** Moves of pieces at the virtual table. Each is a POST, and the table answers why one is impossible. */

import { reader } from "../../commands.js";

/**
 * @typedef {{seat: number, x: number, y: number, quarters: number, flipped: boolean, snapped: boolean}} Place
 *
 * @typedef {object} Moves  Each resolves to the reason if it was refused, else to "".
 * @property {(patch: string, place: Place) => Promise<string>} lay
 * @property {(piece: number, place: Place) => Promise<string>} move
 * @property {(piece: number) => Promise<string>} lift
 * @property {(seat: number, x: number, y: number) => Promise<string>} token
 * @property {(what: string, mm: number) => Promise<string>} nudge
 * @property {(conditions: import("./pieces.js").Conditions) => Promise<string>} conditions
 */

/**
 * Return the moves. Each resolves to "", or to the reason why it is impossible.
 *
 * @param {string} unreachable  The error text when the table does not answer.
 * @returns {Moves}
 */
export function movesAt(unreachable) {
  const send = async (/** @type {string} */ what, /** @type {object} */ body) => {
    try {
      const headers = { "Content-Type": "application/json", ...reader() };
      const response = await fetch(`/api/virtual/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
      return response.ok ? "" : String((await response.json()).error);
    } catch {
      return unreachable;
    }
  };
  return {
    lay: (patch, place) => send("lay", { patch, ...place }),
    move: (piece, place) => send("move", { piece, ...place }),
    lift: (piece) => send("lift", { piece }),
    token: (seat, x, y) => send("token", { seat, x, y }),
    nudge: (what, mm) => send("nudge", { what, by_mm: mm }),
    conditions: (conditions) => send("conditions", conditions),
  };
}
