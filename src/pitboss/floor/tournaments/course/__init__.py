"""The course of a tournament: terms and entries, seats and sessions, people, standings and prizes."""
