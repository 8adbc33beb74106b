"""Promotions beside the game: terms lodged and frozen, entries, a draw that can be checked, prizes, claims, disputes.

`promotion_law` is what the book says, read from its data; two books say it under different clauses, and one engine
follows both. `promotion_terms` are the terms and their checks, `prize_draw` is chance. `promotion_messages` and
`promotion_state` are the stream, decided in `promotion_decisions` (terms and entries), `draw_decisions` and
`claim_decisions`; `promotion_kind` hands it to floor records and servers.
"""
