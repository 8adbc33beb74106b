"""A small rulebook that uses every part of the form once, for tests that break it."""

from __future__ import annotations

BOOK = """\
[book]
id = "sample"
name = "Sample Rules"
edition = "first"
jurisdiction = "nowhere"
register = false

[roles]
ladder = [
  { id = "dealer", name = "Dealer", clause = "1" },
  { id = "manager", name = "Manager", clause = "1" },
]
bodies = [ { id = "inspector", name = "Inspector" } ]

[authority.void-round]
summary = "Void a round."
role = "manager"
clause = "2"
scope = "table"
notify_after = ["inspector"]
needs = ["reason"]
reading = false

[notices.raise-minimum]
minutes = 20
clause = "3"
text = "Sign with the new minimum."

[disputes]
chain = [ { role = "manager", clause = "4", text = "decides" }, { body = "inspector", clause = "4", text = "reviews" } ]

[options.decks]
text = "Decks."
default = 8
allowed = [ { values = [6, 8], clause = "5" }, { values = [1], clause = "5.1", when = { layout = 2 } } ]
clause = "5"

[options.layout]
text = "Layout."
default = 1
allowed = [1, 2]
clause = "6"

[options.most]
text = "Most that is paid."
default = "none"
kind = "amount"
clause = "7"

[options.lights]
default = true
allowed = [true, false]
games = ["pontoon"]
clause = "7.1"

[readings.ties]
text = "Equal totals."
default = "stand-off"
alternatives = ["lose"]
clauses = ["8"]

[rules]
deck_cards = { value = 52, clause = "5" }
natural_odds = { value = "3:2", clause = "9" }
natural_paid = { value = "final", clause = "9" }
dealer_hits_soft_17 = [
  { value = false, clause = "10(a)", when = { layout = 1 } },
  { value = true, clause = "10(b)", when = { layout = [2] } },
]
tie = [
  { value = "stand-off", clause = "8", when = { "reading.ties" = "stand-off" } },
  { value = "lose", clause = "8", when = { "reading.ties" = "lose" } },
]
sharers_max = { value = 3, clause = "11" }
boxes_max = { value = 7, silent = true }

[clauses]
bust = "12"
split = ["13", "13.1"]
dealer_draw = [
  { clause = "10(a)", when = { layout = 1 } },
  { clause = ["10(b)", "10"], when = { layout = 2 } },
]

[games.blackjack]
name = "Blackjack"
clause = "1"
summary = "The plain game."

[games.pontoon]
name = "Pontoon"
extends = "blackjack"
clause = "20"
[games.pontoon.rules]
deck_cards = { value = 48, clause = "20.1" }
bonus_table = { value = "pontoon", clause = "20.2" }
super_bonus = { value = true, clause = "20.3" }
[games.pontoon.clauses]
win_bonus = "20.2"
[games.pontoon.options.decks]
default = 4
allowed = [4]
clause = "20.4"
[[games.pontoon.bonuses]]
hand = "777-suited"
odds = "2:1"
clause = "20.2"
[games.pontoon.super_bonus]
clause = "20.3"
tiers = [ { from = 5, pays = 1000 } ]
others = 50

[games.twin]
name = "Twin"
extends = "blackjack"
alias_of = true

[side_wagers.pairs]
name = "Pairs"
clause = "30"
judge = "pair"
hosts = { value = ["blackjack", "twin"], clause = "30.1" }
placed_by = { value = "own-main-wager", clause = "30.2" }
max_per_box = { value = 3, clause = "30.3" }
max_payout_option = "most"
[[side_wagers.pairs.requires]]
decks = [8]
clause = "30.4"
[[side_wagers.pairs.pays]]
clause = "30.5"
odds = { pair = "11:1" }
[side_wagers.pairs.clauses]
wins = "30.5"
[side_wagers.pairs.rules]
dealer_skips_moot_cards = { value = false, clause = "30.6" }

[side_wagers.nova]
name = "Nova"
clause = "31"
judge = "supernova"
meters = ["big"]
[[side_wagers.nova.pays]]
clause = "31.1"
odds = { major = "meter:big:100%", minor = "meter:big:10%", mystery = "5:1" }
[side_wagers.nova.rules]
dealer_skips_moot_cards = { value = true, clause = "31.2" }

[side_wagers.button]
name = "Button"
clause = "32"
judge = "pandemonium"
[[side_wagers.button.pays]]
clause = "32.1"
prizes = [[1, 100], [9, 5]]
"""
