"""Compiled loops that play rounds from tables: dealing, boxes, settlement, lanes, random streams."""
