"""What `pitboss simulate` needs of the machine: running with a progress bar, and runs kept in files."""
