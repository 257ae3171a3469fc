/** Who sits where, when the number of players changes. */

/**
 * Who sits there already stays; who has played before comes next, and else there is a place without a name.
 *
 * @param {readonly string[]} players
 * @param {number} count
 * @param {readonly string[]} names
 */
export function seated(players, count, names) {
  const others = names.filter((name) => !players.includes(name));
  return Array.from({ length: count }, (_, index) => players[index] ?? others[index - players.length] ?? "");
}
