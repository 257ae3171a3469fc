/** The virtual table, as soon as it is laid. */

const RETRY_MS = 700;

/**
 * @param {string} game  Where another one has just been begun, the one before may lie there for a moment.
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
