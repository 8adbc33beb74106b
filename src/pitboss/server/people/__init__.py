"""People of a served floor: what they are told, and how they prove who they are."""
