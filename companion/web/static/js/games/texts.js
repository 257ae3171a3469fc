/** The English texts of the journal: replays, statistics, pictures to share. */

import { meant, said, teach } from "../language.js";

teach({
  "games.title": said("Games"),
  "games.loading": said("Reading the journal…"),
  "games.none": said("No game is in the journal yet."),
  "games.failed": said("The journal cannot be read at the moment."),
  "games.older": said("Older games"),
  "games.score": said("{one} : {other}"),
  "games.live": said("on the table"),
  "games.broken": said("cannot be replayed"),
  "games.record": said("Record"),
  "games.csv": said("Decisions as CSV"),
  "games.all-csv": said("All games as CSV"),
  "games.replay": said("Watch again"),
  "games.replay-one": said("Watch {one} and {other} again, {date}"),
  "games.replay-game": said("Watch the game of {players} again, {date}"),
  "games.all-csv-of": said("All games of {game} as CSV"),

  "delete.game": said("Delete"),
  "delete.one": said("Delete the game of {players}, {date}"),
  "delete.sure": said("Permanently delete the game of {players}, {date}? Its decisions and pictures will be gone."),
  "delete.sure-live": said("The game of {players}, {date}, is on the table. Permanently delete it? It ends, another one starts in its place, and its decisions and pictures will be gone."),
  "delete.yes": said("Delete for good"),
  "delete.no": said("Keep everything"),
  "forget.title": said("Remove a player’s name"),
  "forget.which": said("Whose name should be removed from all saved games?"),
  "forget.sure": said("Remove the name {name} from all saved games? The games stay, with the seat in its place."),
  "forget.yes": said("Remove for good"),

  "scored.title": said("Scored from photographs"),
  "scored.another": said("Score a photograph"),
  "scored.player": said("Player {seat}"),
  "scored.photograph": said("Photograph {number}"),

  "standings.title": said("Players"),
  "standings.title-of": said("{game}: the players"),
  "standings.player": said("Player"),
  "standings.games": meant("column", "Games"),
  "standings.wins": said("Wins"),
  "standings.best": said("Best"),
  "standings.mean": said("Mean"),

  "replay.back": said("All games"),
  "replay.slider": said("Decision"),
  "replay.play": said("Play"),
  "replay.pause": said("Pause"),
  "replay.step-back": said("One decision back"),
  "replay.step-on": said("One decision on"),
  "replay.step": said("{number} of {last}."),

  "games.statistics": said("Statistics"),

  "statistics.loading": said("Adding up all games…"),
  "statistics.none": said("No game that people played has been finished yet."),
  "statistics.records": said("Records of this table"),
  "statistics.csv-games": said("Games as CSV"),
  "statistics.csv-players": said("Players as CSV"),
  "statistics.csv-patches": said("Patches as CSV"),

  "record.score": said("Highest score"),
  "record.margin": said("Widest lead"),

  "course.score": said("Score over time"),
  "course.end": said("{name}: {value} at the end."),

  "share.picture": said("Picture"),
  "share.one": said("Picture of the game of {one} and {other}, {date}"),
  "share.game": said("A picture of the game of {players}, {date}"),
  "share.making": said("Making the picture…"),
  "share.failed": said("The picture cannot be made at the moment."),
  "share.send": said("Share"),
  "share.save": said("Save the picture"),
});
