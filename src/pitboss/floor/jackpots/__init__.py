"""Jackpots of several tables: prize meter systems as a stream, and the Personal Bet Managers of players at tables.

A jackpot system is one stream (`meters NAME`) and holds prize meter systems, each with its price, its meters and its
member tables. A member table has a copy of what the meters show (`meter_links`): it plays its rounds with that, the
stream hears what every round took and gave (`table_outcomes`), and tells the other members. `meter_systems` decides,
`meter_state` folds, `box_draws` picks boxes by committed chance, `meter_words` tells and shows, `meters_kind` puts it
all together. `bet_managers` has the accounts from which players at member tables place jackpot wagers.
"""
