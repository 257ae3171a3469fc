/** Commands to the table (POST requests that need its key and answer with a sentence), and requests with retries. */

const RETRY_MS = 1000;
/** A proxy sends these while the table's program is down; the program sends 503 while it cannot answer. */
const AWAY = new Set([502, 503, 504]);

/**
 * @typedef {object} Answer
 * @property {boolean} ok
 * @property {string} [says]
 * @property {string} [error]
 * @property {number} [status]
 * @property {string[]} [candidates]  Patches to choose from before the command is sent again.
 *
 * @typedef {object} Commands
 * @property {(button: "confirm" | "advance" | "undo") => Promise<Answer>} press
 * @property {(option: number | null) => Promise<void>} answer  Null for "none of these". Does nothing if the question is already answered.
 * @property {(seat: number, cells: string[], patch: string | null) => Promise<Answer>} override
 * @property {(patch: string) => Promise<Answer>} name
 * @property {() => Promise<Answer>} insist  Keep the pieces as they lie despite the complaint.
 * @property {() => Promise<Answer>} putRight  Say that what was complained of is put right, with nothing new on the table.
 * @property {(text: string) => Promise<Answer>} word  Send a word to the friend at the other table.
 * @property {(name: string) => Promise<Answer>} voice  Choose the voice that speaks at the table; "none" for silence.
 * @property {(what: "place" | "right" | "behind" | "way", body: object) => Promise<Answer>} circle
 */

/**
 * Return the commands of this page. They set `busy` and `said` in the store.
 *
 * @param {import("./store.js").Store} store
 * @param {string} unreachable  The error text when the table does not answer.
 * @returns {Commands}
 */
export function commandsFor(store, unreachable) {
  /** The number of commands sent. The answer to an older command must not replace that to a newer one. */
  let sent = 0;
  /** The snapshot whose question was answered; it is still shown until the next one arrives. @type {unknown} */
  let answered = null;

  /**
   * @param {string} what
   * @param {string} path
   * @param {object} body
   */
  async function run(what, path, body) {
    const mine = (sent += 1);
    const decisions = () => store.get().snapshot?.game?.decisions ?? 0;
    const before = decisions();
    store.set({ busy: what, said: null });
    const answer = await send(path, body).catch(() => /** @type {Answer} */ ({ ok: false, error: unreachable }));
    // That the table does not answer is past with whatever comes from it.
    const past = answer.status ? Math.max(before + 1, decisions()) : -1;
    if (mine === sent) store.set({ busy: null, said: spoken(answer, past) });
    // The key has been changed or has expired: the page offers to join again.
    if (answer.status === 401) store.set({ me: { ...store.get().me, can_touch: false } });
    return answer;
  }

  /** @param {number | null} option */
  async function answer(option) {
    const { busy, snapshot } = store.get();
    // A second tap would answer the next question before it was shown.
    if (busy === "answer" || snapshot === answered) return;
    const { ok } = await run("answer", "/api/answer", { option, question: snapshot?.asked ?? null });
    if (ok) answered = snapshot;
  }
  return {
    // With the question's number the press cannot answer a question that arrives while it is sent.
    press: (button) => run(button, "/api/press", { button, question: store.get().snapshot?.asked ?? null }),
    answer,
    override: (seat, cells, patch) => run("override", "/api/override", { seat, cells, patch }),
    name: (patch) => run("name", "/api/name", { patch }),
    putRight: () => run("put-right", "/api/put-right", {}),
    insist: () => run("insist", "/api/insist", {}),
    word: (text) => run("word", "/api/word", { text }),
    voice: (voice) => run("voice", "/api/voice", { voice }),
    circle: (what, body) => run("circle", `/api/circle/${what}`, body),
  };
}

/** Return the request headers that ask for answers in the page's language instead of the browser's. */
export function reader() {
  return { "Accept-Language": document.documentElement.lang };
}

/**
 * Fetch JSON from the table, retrying until it answers.
 *
 * @param {string} path
 * @returns {Promise<any>}  Null if the table refuses the request.
 */
export async function asked(path) {
  for (;;) {
    try {
      const response = await fetch(path);
      if (!AWAY.has(response.status)) return response.ok ? await response.json() : null;
    } catch {
      // Retried, as after an answer in AWAY.
    }
    await new Promise((go) => setTimeout(go, RETRY_MS));
  }
}

/**
 * POST a JSON body to the table. Rejects if the network fails.
 *
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
 * @param {number} decisions  The number of decisions with its own; it may come before they are on the page.
 */
function spoken(answer, decisions) {
  const text = answer.ok ? answer.says : answer.error;
  return text ? { text, refused: !answer.ok, decisions, at: Date.now() } : null;
}
