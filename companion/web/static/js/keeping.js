/** What this browser keeps of how its reader likes the page. */

/**
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
 * @param {string} key
 * @param {string} value
 */
export function keep(key, value) {
  try {
    localStorage.setItem(`quilt-companion.${key}`, value);
  } catch {
    // A browser that keeps nothing still shows the page.
  }
}
