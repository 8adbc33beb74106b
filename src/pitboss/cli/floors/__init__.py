"""The commands around a served floor: open it, join it, look after it, audit it."""
