"""Cards at the table: shuffle and proof, cut, shoe and device, what is burnt, who sees what."""
