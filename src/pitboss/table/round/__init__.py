"""The ordinary round: betting, deal, offers, turns, dealer's hand, settlement. No misdeals, no voids, no powers."""
