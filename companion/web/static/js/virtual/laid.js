/** The virtual table, as soon as it is laid. */

const RETRY_MS = 700;

/** @returns {Promise<{table: any, ranges: Record<string, [number, number]>}>} */
export async function laid() {
  for (;;) {
    const response = await fetch("/api/virtual").catch(() => null);
    if (response?.ok) return response.json();
    await new Promise((go) => setTimeout(go, RETRY_MS));
  }
}
