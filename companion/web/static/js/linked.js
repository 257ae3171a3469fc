/** The loader of bundles: files of several modules register them here, and each module is run once, on first use. */

/** @typedef {(name: string) => any} Need  Returns the exports of a module. */
/** @typedef {(need: Need, load: (name: string) => Promise<any>) => any} Maker */

/** @type {Record<string, Maker>} */
const makers = {};
/** @type {Record<string, any>} */
const made = {};
/** @type {{page: string, places: Record<string, number[]>}} */
const known = { page: "", places: {} };

/**
 * Set which bundles hold the modules that are loaded later.
 *
 * @param {typeof known} where
 */
export function know(where) {
  Object.assign(known, where);
}

/**
 * Register a module.
 *
 * @param {string} name
 * @param {Maker} maker
 */
export function put(name, maker) {
  makers[name] ??= maker;
}

/** Return the exports of a module, running it on first use. @type {Need} */
export function need(name) {
  return (made[name] ??= makers[name](need, load));
}

/** @param {string} name */
async function load(name) {
  await Promise.all((known.places[name] ?? []).map((number) => import(`./${known.page}-${number}.js`)));
  return need(name);
}
