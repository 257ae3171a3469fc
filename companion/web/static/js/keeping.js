/** The reader's preferences in this browser's local storage. */

/**
 * Return a stored preference, or null if there is none or storage is blocked.
 *
 * @param {string} key
 * @returns {string | null}
 */
export function remembered(key) {
  try {
    return localStorage.getItem(`quilt-companion.${key}`);
  } catch {
    return null;
  }
}

/**
 * Store a preference.
 *
 * @param {string} key
 * @param {string} value
 */
export function keep(key, value) {
  try {
    localStorage.setItem(`quilt-companion.${key}`, value);
  } catch {
    // The page works in browsers that block storage.
  }
}
