/** The players' names when their number changes. */

/**
 * Return the names for `count` seats: the present players, then earlier players, then "".
 *
 * @param {readonly string[]} players
 * @param {number} count
 * @param {readonly string[]} names
 */
export function seated(players, count, names) {
  const others = names.filter((name) => !players.includes(name));
  return Array.from({ length: count }, (_, index) => players[index] ?? others[index - players.length] ?? "");
}
