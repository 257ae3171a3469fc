/** The games: which module draws which. A game that brings none is drawn in a general way. */

/**
 * @typedef {import("./views/page.js").Page} Page
 * @typedef {import("./store.js").PageState} PageState
 * @typedef {import("./contract.js").Snapshot} Snapshot
 * @typedef {{id: number, game: string, started_at: string, winner: number | null, scores: number[] | null}} Played  A game in the journal.
 *
 * @typedef {object} Table  A game as it is drawn while it is played.
 * @property {import("./sections.js").Section[]} sections
 * @property {(snapshot: Snapshot) => {seat: number, name: string, colour: string, moves: boolean}[]} seats
 * @property {(state: PageState) => void} [follow]  Is given each state before it is drawn.
 * @property {Promise<void>} [complete]  Resolves when all has come that is drawn beside the state.
 *
 * @typedef {object} Figures  What many games tell.
 * @property {Record<string, string>} columns  Of the players' table: what the server counts, and the text that heads it.
 * @property {readonly string[]} tables  What can be taken away as CSV.
 * @property {(figures: any, page: Page) => Node | null} [course]  Drawn before the players.
 * @property {(figures: any, page: Page) => Promise<Node | null>} [more]  Drawn after them.
 *
 * @typedef {object} SetUp  Choices before a game; `chosen` is the game's own, and changed by what is chosen.
 * @property {(offered: any, page: Page) => any} begin  What is chosen at first.
 * @property {(chosen: any, page: Page) => string} fault  What is wrong with it; empty where nothing is.
 * @property {(chosen: any, offered: any, draw: () => void, page: Page) => Node[]} choices
 * @property {(chosen: any, rest: object, page: Page) => Promise<import("./setup/asking.js").Answer>} order  Begins the game.
 * @property {(chosen: any, offered: any) => boolean} [deals]  Whether something is to be laid out before.
 * @property {(room: HTMLElement, page: Page, back: () => void, begin: (more: object) => void) => unknown} [deal]  Shows how.
 *
 * @typedef {object} GuideParts  A game's steps of the first-run guide.
 * @property {(page: Page) => import("./guide/sheet.js").Step[]} table  What has to lie on a real table.
 * @property {(page: Page) => import("./guide/sheet.js").Step[]} turns  How it is played, up to the first move.
 *
 * @typedef {object} GameParts  What a game brings; what it leaves out is not offered.
 * @property {(page: Page) => Promise<Table>} open  Makes the page ready for it.
 * @property {(page: Page) => Promise<void>} [playVirtually]  Lets people play on the page, at the virtual table.
 * @property {(page: Page) => Promise<void>} [dressVirtually]  Draws what lies on a simulated table as the camera sees it, where nobody plays on the page.
 * @property {readonly string[]} [virtualKeys]  What keys do there, by the names that `keys.js` has for them.
 * @property {(game: number, show: import("./games/showing.js").Show, page: Page, back: () => void) => Promise<void>} [replay]
 * @property {(game: Played, page: Page) => Promise<Node[]>} [thumbnail]  How it ended, in the list of games.
 * @property {(game: Played, page: Page) => Promise<Blob | null>} [picture]  To share.
 * @property {string} [pictureSays]  The text that tells what is on it.
 * @property {() => Promise<Figures>} [figures]
 * @property {() => Promise<SetUp>} [setUp]
 * @property {() => Promise<import("./teaching/room.js").Teacher>} [teacher]  Tells new players what may be done, and why.
 * @property {() => Promise<GuideParts>} [guide]
 * @property {() => Promise<(page: Page) => import("./rules/sheet.js").Rules>} [rules]  In two minutes.
 */

/** Those with a module of their own; `pair`: it is for two, who are named "one and the other". @type {Record<string, {pair: boolean, load: () => Promise<{game: GameParts}>}>} */
const GAMES = {
  patchwork: { pair: true, load: () => import("./patchwork/game.js") },
  kvilt: { pair: false, load: () => import("./kvilt/game.js") },
};

/**
 * @typedef {object} Games
 * @property {readonly string[]} names  Of those with parts of their own.
 * @property {(name: string) => Promise<GameParts>} partsOf
 * @property {(name: string) => boolean} isPair
 * @property {(name: string) => string} titleOf
 */

/**
 * @param {(key: string) => string} say
 * @returns {Games}
 */
export function gamesIn(say) {
  return {
    names: Object.keys(GAMES),
    partsOf: async (name) => (GAMES[name] ? (await GAMES[name].load()).game : (await import("./general/game.js")).partsOf(name)),
    isPair: (name) => Boolean(GAMES[name]?.pair),
    titleOf: (name) => (GAMES[name] ? say(`game.${name}`) : name.charAt(0).toLocaleUpperCase() + name.slice(1)),
  };
}
