"""What people of the house work at: the dealer's seat, the supervisor's desk, drills for those who learn."""
