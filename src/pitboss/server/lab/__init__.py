"""The lab: questions about any game, answered in processes of their own that give way to the tables."""
