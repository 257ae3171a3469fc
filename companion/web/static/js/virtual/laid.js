/** The virtual table of a game. */

const RETRY_MS = 700;

/**
 * Return the virtual table, retrying until it holds the given game.
 *
 * @param {string} game  After a new game starts, the previous one may still be on the table for a moment.
 * @returns {Promise<{table: any, ranges: Record<string, [number, number]>}>}
 */
export async function laid(game) {
  for (;;) {
    const response = await fetch("/api/virtual").catch(() => null);
    const answer = response?.ok ? await response.json() : null;
    if (answer?.table.game === game) return answer;
    await new Promise((go) => setTimeout(go, RETRY_MS));
  }
}
