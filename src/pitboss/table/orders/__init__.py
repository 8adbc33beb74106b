"""The floor at the table: roles and powers, limits, disputes, voids, rebuilt rounds, and mishaps with the cards.

Orders may call the round (`table.round`); the round never calls them."""
