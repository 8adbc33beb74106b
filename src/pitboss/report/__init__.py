"""What odds and simulations look like: terminal tables, charts, HTML, pictures, data frames, and answers as JSON.

Here belongs presentation that odds, simulator and command line share. Figures are worked out in `odds` and `sim`; files
are written by `cli`, which is handed text or bytes from here."""
