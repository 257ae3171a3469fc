/** Makes modules out of what files with several of them hand over: each once, when it is first needed. */

/** @typedef {(name: string) => any} Need  Gives what a module exports. */
/** @typedef {(need: Need, load: (name: string) => Promise<any>) => any} Maker */

/** @type {Record<string, Maker>} */
const makers = {};
/** @type {Record<string, any>} */
const made = {};
/** @type {{page: string, places: Record<string, number[]>}} */
const known = { page: "", places: {} };

/**
 * Learn which files hold what is asked for later.
 *
 * @param {typeof known} where
 */
export function know(where) {
  Object.assign(known, where);
}

/**
 * @param {string} name
 * @param {Maker} maker
 */
export function put(name, maker) {
  makers[name] ??= maker;
}

/** @type {Need} */
export function need(name) {
  return (made[name] ??= makers[name](need, load));
}

/** @param {string} name */
async function load(name) {
  await Promise.all((known.places[name] ?? []).map((number) => import(`./${known.page}-${number}.js`)));
  return need(name);
}
