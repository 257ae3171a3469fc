/** The English texts of Patchwork's games in the journal. */

import { counted, meant, said, teach } from "../../language.js";

teach({
  "replay.figures": counted("{count} button · income {income} · score {score}", "{count} buttons · income {income} · score {score}"),

  "statistics.scores": said("Scores, game by game"),
  "statistics.scores-say": counted("Scores of {count} game; on average {mean}.", "Scores of the last {count} games; on average {mean}."),
  "statistics.winner": said("winner"),
  "statistics.loser": said("other player"),
  "statistics.axis-games": said("games"),
  "statistics.best": said("Patches that were worth most"),
  "statistics.least": said("Patches that were worth least"),
  "statistics.worth-how": said("Worth in points: two for each square covered, plus the income still to come, less the price. Time is not counted."),
  "statistics.bought": counted("bought {count} time, won {won}", "bought {count} times, won {won}"),

  "record.income": said("Highest income"),
  "record.buttons": said("Most buttons at the end"),
  "record.quilt": said("Fewest empty squares"),

  "player.games": meant("column", "Games"),
  "player.won": said("Wins"),
  "player.best": said("Best"),
  "player.mean": said("Mean"),
  "player.income": said("Income"),
  "player.empty": said("Empty"),
  "player.patches": said("Patches"),
  "player.bonuses": said("7×7"),
  "player.streak": said("Wins in a row"),

  "course.income": said("Income over time"),
  "course.buttons": said("Buttons over time"),
  "course.axis": said("space of the time track"),
  "course.bought": said("What each purchase was worth"),
  "course.purchase": said("{patch}, bought up to space {space}: worth {worth}"),

  "analysis.begin": said("Analyse this game"),
  "analysis.runs": said("The game is being analysed…"),
  "analysis.chance": said("Winning chance, in percent"),
  "analysis.axis": said("decision"),
  "analysis.turning": said("Where the game turned"),
  "analysis.none": said("No decision lost much."),
  "analysis.lost": said("{name} lost {percent} % of winning chance a decision."),

  "share.figures": said("Buttons: {buttons} · empty squares: {empty}{bonus}"),
  "share.bonus": said(" · 7×7 tile"),
});
