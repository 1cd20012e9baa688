"""JSON in every shape that people have."""
