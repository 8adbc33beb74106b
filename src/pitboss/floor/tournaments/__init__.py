"""Tournaments as one stream each, from the terms that are lodged to the prizes that are paid.

`format` says what of the terms the engine needs, `messages` what can be asked and what happens, `tournament_state`
what is known between two decisions. Terms and entries are answered in `opening` and `entries`, seats and sessions in
`seating` and `sessions`, a round in `wagering`, `undisclosed` and `dealing`, who is ahead and who is out in `standings`,
money in `prizes`. Rounds are played by the table engine, whose states lie inside the tournament's own.
"""
