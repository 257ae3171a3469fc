/** Answers come in another order than they were asked for in: an older one must not take the place of a newer one. */

/**
 * To be called when something is asked for; what it returns is to be called when the answer has come.
 *
 * @typedef {() => () => boolean} Order  The second says whether nothing that was asked for later has been taken already.
 */

/** @returns {Order} */
export function inOrder() {
  let [asked, taken] = [0, 0];
  return () => {
    const mine = (asked += 1);
    return () => {
      const isNewest = mine >= taken;
      if (isNewest) taken = mine;
      return isNewest;
    };
  };
}
