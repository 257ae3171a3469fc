/** A server that answers in the order that a test wants, in place of `fetch`, and a store for a reader with the key. */

import { createStore, emptyState } from "../../../../companion/web/static/js/store.js";

/** Let everything that waits for an answer go on. */
export async function turn() {
  for (let round = 0; round < 6; round += 1) await new Promise((go) => setTimeout(go));
}

/** Return an answer that is read at once: the time that a real `Response` takes to be read depends on the machine's load. */
const response = (body, status) => ({ ok: status < 400, status, headers: new Headers(), json: async () => structuredClone(body) });

/** Return the requests that are waiting from now on, each with its path, its body and the function that answers it. */
export function server() {
  const waiting = [];
  globalThis.fetch = (path, options) =>
    new Promise((go) =>
      waiting.push({
        path: path.split("?")[0],
        body: JSON.parse(options?.body ?? "null"),
        answer: async (body, status = 200) => (go(response(body, status)), await turn()),
      }),
    );
  return waiting;
}

/** Return the store of a page whose reader has the key. */
export const storeWithKey = () => createStore({ ...emptyState(), link: "open", me: { can_touch: true } });
