/** Asks the table for something; what goes wrong on the way is an answer, too. */

/** @typedef {{ok: boolean, error?: string, status?: number} & Record<string, any>} Answer */

/**
 * @param {string} path
 * @param {import("../views/page.js").Page} page
 * @param {object} [body]  Sent as a command where it is given.
 * @returns {Promise<Answer>}
 */
export async function ask(path, page, body) {
  const sent = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const own = `${path}${path.includes("?") ? "&" : "?"}language=${page.language.code}`;
  try {
    const response = await fetch(own, sent);
    return { status: response.status, ...(await response.json()) };
  } catch {
    return { ok: false, error: page.say("link.unreachable") };
  }
}
