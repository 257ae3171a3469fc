/** Requests to the table whose answer is never an exception. */

/** @typedef {{ok: boolean, error?: string, status?: number} & Record<string, any>} Answer */

/**
 * Send a request to the table. A network failure is returned as an answer with `ok` false.
 *
 * @param {string} path
 * @param {import("../views/page.js").Page} page
 * @param {object} [body]  If given, it is sent by POST as JSON.
 * @returns {Promise<Answer>}
 */
export async function ask(path, page, body) {
  const sent = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  // The reader may have chosen another language than the browser asks for by itself.
  const own = `${path}${path.includes("?") ? "&" : "?"}language=${page.language.code}`;
  try {
    const response = await fetch(own, sent);
    return { status: response.status, ...(await response.json()) };
  } catch {
    return { ok: false, error: page.say("link.unreachable") };
  }
}
