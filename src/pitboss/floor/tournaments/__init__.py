"""Tournaments as one stream each, from the terms that are lodged to the prizes that are paid.

`format` says what of the terms the engine needs, `tournament_commands` what can be asked, `tournament_events` what
happens, `tournament_state` what is known between two decisions. Terms and entries are answered in `lodging` and
`entries`, seats and sessions in `seating` and `sessions`, a round in `wagering`, `undisclosed` and `table_play`, who is
ahead and who is out in `standings`, people in `conduct`, money in `prize_money`. Rounds are played by the table
engine, whose states lie inside the tournament's own.
"""
