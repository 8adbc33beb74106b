"""Side wagers: who judges them (`judges`, the one list), what they are paid, and both as tables for kernels."""
