/** What who has the table's key can do; every command is a POST and ends in a sentence. And what the table is asked for. */

const RETRY_MS = 1000;
/** A proxy answers so while the table's program is away, and the program itself while too much is asked of it. */
const AWAY = new Set([502, 503, 504]);

/**
 * @typedef {object} Answer
 * @property {boolean} ok
 * @property {string} [says]
 * @property {string} [error]
 * @property {number} [status]
 * @property {string[]} [candidates]  Patches to choose from before it is sent again.
 *
 * @typedef {object} Commands
 * @property {(button: "confirm" | "advance" | "undo") => Promise<Answer>} press
 * @property {(option: number | null) => Promise<void>} answer  Does nothing once the question is answered.
 * @property {(seat: number, cells: string[], patch: string | null) => Promise<Answer>} override
 * @property {(patch: string) => Promise<Answer>} name
 * @property {() => Promise<Answer>} insist  What is complained of lies as it is meant.
 * @property {(name: string) => Promise<Answer>} voice  Which voice speaks at the table; "none" for silence.
 * @property {(what: "place" | "right" | "behind" | "way", body: object) => Promise<Answer>} circle
 */

/**
 * @param {import("./store.js").Store} store
 * @param {string} unreachable  What to say where the table does not answer.
 * @returns {Commands}
 */
export function commandsFor(store, unreachable) {
  /** How many were sent: what an older one led to is not said in the place of what a newer one does. */
  let sent = 0;
  /** The snapshot whose question was answered: it asks nothing any more, though the next one may still be on its way. @type {unknown} */
  let answered = null;

  /**
   * @param {string} what
   * @param {string} path
   * @param {object} body
   */
  async function run(what, path, body) {
    const mine = (sent += 1);
    store.set({ busy: what, said: null });
    const answer = await send(path, body).catch(() => /** @type {Answer} */ ({ ok: false, error: unreachable }));
    if (mine === sent) store.set({ busy: null, said: spoken(answer) });
    if (answer.status === 401) store.set({ me: { ...store.get().me, can_touch: false } });
    return answer;
  }

  /** @param {number | null} option */
  async function answer(option) {
    const { busy, snapshot } = store.get();
    // A second tap would choose from the next question, which nobody has seen yet.
    if (busy === "answer" || snapshot === answered) return;
    const { ok } = await run("answer", "/api/answer", { option, question: snapshot?.asked ?? null });
    if (ok) answered = snapshot;
  }
  return {
    // What is asked while the press is on its way is not answered by it.
    press: (button) => run(button, "/api/press", { button, question: store.get().snapshot?.asked ?? null }),
    answer,
    override: (seat, cells, patch) => run("override", "/api/override", { seat, cells, patch }),
    name: (patch) => run("name", "/api/name", { patch }),
    insist: () => run("insist", "/api/insist", {}),
    voice: (voice) => run("voice", "/api/voice", { voice }),
    circle: (what, body) => run("circle", `/api/circle/${what}`, body),
  };
}

/** Has the table answer in the page's language, whatever the browser's is. */
export function reader() {
  return { "Accept-Language": document.documentElement.lang };
}

/**
 * What the table answers, asked for until it does.
 *
 * @param {string} path
 * @returns {Promise<any>}  Null where it refuses.
 */
export async function asked(path) {
  for (;;) {
    try {
      const response = await fetch(path);
      if (!AWAY.has(response.status)) return response.ok ? await response.json() : null;
    } catch {
      // It is tried again, as where somebody else has answered for it.
    }
    await new Promise((go) => setTimeout(go, RETRY_MS));
  }
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Answer>}
 */
export async function send(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...reader() },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...(await response.json()) };
}

/**
 * @param {Answer} answer
 */
function spoken(answer) {
  const text = answer.ok ? answer.says : answer.error;
  return text ? { text, refused: !answer.ok } : null;
}
