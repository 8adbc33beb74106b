"""What `pitboss play` needs of the machine: files of sessions, processes that work odds out, known figures."""
