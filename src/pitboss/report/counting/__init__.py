"""What counting comes to, for people and for programs: terminal, JSON, and the exposure report."""
