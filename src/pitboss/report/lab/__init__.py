"""What the lab shows: positions, worths, charts and simulations as texts ready to show, each with its number beside."""
