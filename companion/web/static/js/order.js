/** Answers may arrive in another order than they were requested in: an older one must not replace a newer one. */

/**
 * Call it when a request is sent, and call the function that it returns when the answer arrives.
 *
 * @typedef {() => () => boolean} Order  The second function returns whether no answer to a later request was accepted yet.
 */

/** Return a new order of requests. @returns {Order} */
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
