"""What a floor keeps: the chained rows of its streams, the ledger, the rounds; and how all of it is audited."""
