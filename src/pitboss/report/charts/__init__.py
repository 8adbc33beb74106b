"""Strategy charts for people: laid out in grids, then drawn as HTML, as pictures and on the terminal."""
