/** The games and the modules that draw them. A game without a module is drawn by `general/`. */

/**
 * @typedef {import("./views/page.js").Page} Page
 * @typedef {import("./store.js").PageState} PageState
 * @typedef {import("./contract.js").Snapshot} Snapshot
 * @typedef {{id: number, game: string, started_at: string, winner: number | null, scores: number[] | null}} Played  A game in the journal.
 * @typedef {{details: any, winner: number | null, names: readonly string[]}} Position  A game as the server describes it; `names` describe the drawings for screen readers, none where others do.
 *
 * @typedef {object} Table  How a game is drawn while it is played.
 * @property {import("./sections.js").Section[]} sections
 * @property {(snapshot: Snapshot) => {seat: number, name: string, colour: string, moves: boolean}[]} seats
 * @property {(state: PageState) => void} [follow]  Called with each state before it is drawn.
 * @property {Promise<void>} [complete]  Resolves when everything that is drawn besides the state has loaded.
 *
 * @typedef {object} Figures  The statistics over many games.
 * @property {Record<string, string>} columns  The columns of the players' table: the key of each heading's text, by the name of the server's figure.
 * @property {readonly string[]} tables  The tables offered as CSV.
 * @property {(figures: any, page: Page) => Node | null} [course]  Drawn before the players.
 * @property {(figures: any, page: Page) => Promise<Node | null>} [more]  Drawn after them.
 *
 * @typedef {object} SetUp  The choices before a game. The game defines `chosen`; the controls change it in place.
 * @property {(offered: any, page: Page) => any} begin  Returns the initial choice.
 * @property {(chosen: any, page: Page) => string} fault  Returns what is wrong with the choice, or "".
 * @property {(chosen: any, offered: any, draw: () => void, page: Page) => Node[]} choices
 * @property {(chosen: any, rest: object, page: Page) => Promise<import("./setup/asking.js").Answer>} order  Starts the game.
 * @property {(chosen: any, offered: any) => boolean} [deals]  Returns whether something has to be laid out first.
 * @property {(room: HTMLElement, page: Page, back: () => void, begin: (more: object) => void, market?: readonly string[]) => unknown} [deal]  Shows how to lay it out, or what a friend’s table has dealt.
 *
 * @typedef {object} GuideParts  A game's steps of the first-run guide.
 * @property {(page: Page) => import("./guide/sheet.js").Step[]} table  How to prepare a real table.
 * @property {(page: Page) => import("./guide/sheet.js").Step[]} turns  How to play, up to the first move.
 *
 * @typedef {object} GameParts  The parts of a game. Features of omitted parts are not offered.
 * @property {(page: Page) => Promise<Table>} open  Prepares the page for the game.
 * @property {(page: Page) => Promise<void>} [playVirtually]  Enables play on the page, at the virtual table.
 * @property {(page: Page) => Promise<void>} [dressVirtually]  Draws a simulated table as the camera sees it, without play on the page.
 * @property {readonly string[]} [virtualKeys]  The keys of the virtual table, by their names in `keys.js`.
 * @property {(game: number, show: import("./games/showing.js").Show, page: Page, back: () => void) => Promise<void>} [replay]
 * @property {(position: Position) => Promise<Node[]>} [thumbnail]  The last position by seat, for lists of games.
 * @property {(game: Played, page: Page) => Promise<Blob | null>} [picture]  A PNG to share.
 * @property {string} [pictureSays]  The key of the text that describes the picture.
 * @property {() => Promise<Figures>} [figures]
 * @property {() => Promise<SetUp>} [setUp]
 * @property {() => Promise<import("./teaching/room.js").Teacher>} [teacher]  The tips for new players.
 * @property {() => Promise<GuideParts>} [guide]
 * @property {() => Promise<(page: Page) => import("./rules/sheet.js").Rules>} [rules]  The rules in two minutes.
 */

/** The games with a module. `pair`: for two players, listed as "one and other". @type {Record<string, {pair: boolean, load: () => Promise<{game: GameParts}>}>} */
const GAMES = {
  patchwork: { pair: true, load: () => import("./patchwork/game.js") },
  kvilt: { pair: false, load: () => import("./kvilt/game.js") },
};

/**
 * @typedef {object} Games
 * @property {readonly string[]} names  The games with a module.
 * @property {(name: string) => Promise<GameParts>} partsOf
 * @property {(name: string) => boolean} isPair
 * @property {(name: string) => string} titleOf
 */

/**
 * Return the registry of games, with titles in the reader's language.
 *
 * @param {(key: string) => string} say
 * @returns {Games}
 */
export function gamesIn(say) {
  return {
    names: Object.keys(GAMES),
    partsOf: async (name) => (GAMES[name] ? (await GAMES[name].load()).game : (await import("./general/game.js")).game),
    isPair: (name) => Boolean(GAMES[name]?.pair),
    titleOf: (name) => (GAMES[name] ? say(`game.${name}`) : name.charAt(0).toLocaleUpperCase() + name.slice(1)),
  };
}
