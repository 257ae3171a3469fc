/** The English texts of Patchwork's set-up. */

import { counted, said, teach } from "../../language.js";

teach({
  "setup.colour": said("{player}: colour"),
  "setup.first-hint": said("By the rules, whoever last used a needle."),
  "setup.robot-circle": said("The robot must know the circle: deal it, or let the camera look for it."),
  "setup.circle": said("The circle of patches"),
  "setup.handicap": said("Handicap"),
  "setup.handicap-none": said("Both begin with 5 buttons"),
  "setup.handicap-of": counted("{player} begins with {count} button more", "{player} begins with {count} buttons more"),
  "setup.more": said("Edition and rules"),
  "setup.edition": said("Time board"),
  "setup.rules": said("If tied"),

  "circle.unknown": said("Not known"),
  "circle.dealt": said("Dealt"),
  "circle.seen": said("Seen"),

  "circle-says.unknown": said("Lay it out as you like. You can buy any patch still in the box."),
  "circle-says.dealt": said("It is shuffled here, and you lay it out twelve patches at a time. The three on offer are then known."),
  "circle-says.seen": said("The camera looks for it before the first move. You confirm what it is unsure of here, and can play meanwhile."),
  "circle-says.virtual": said("It is already on the table, and the companion is told about it."),

  "edition.original": said("First edition"),
  "edition.revised": said("Later printing"),

  "edition-says.original": said("The first leather patch lies between the spaces 19 and 20."),
  "edition-says.revised": said("The first leather patch lies between the spaces 25 and 26."),

  "rules.official": said("First one home wins"),
  "rules.marker-on-top": said("Token on top wins"),

  "rules-says.official": said("Whoever reached the last space first: the publisher’s rules."),
  "rules-says.marker-on-top": said("Whoever’s token is on top on the last space: many groups play this way."),

  "colour.yellow": said("Yellow"),
  "colour.green": said("Green"),
  "colour.blue": said("Blue"),
  "colour.orange": said("Orange"),
  "colour.violet": said("Violet"),
  "colour.rose": said("Rose"),
  "colour.teal": said("Teal"),
  "colour.slate": said("Slate"),
  "colour.black": said("Black"),
  "colour.white": said("White"),

  "deal.shuffling": said("Shuffling…"),
  "deal.step": said("Lay out the circle: {number} of {count}"),
  "deal.first": said("Lay these patches clockwise round the time board, {from} to {to}."),
  "deal.on": said("Continue clockwise with these, {from} to {to}."),
  "deal.token": said("Then put the neutral token after the last one, so that it is just before patch 1."),
  "deal.patch": said("{place}: {patch}, costs {buttons}, time {time}"),
  "deal.next": said("Done"),
  "deal.last": said("It lies there"),
  "deal.back": said("Back"),
});
