"""The exact trace: a training step of the installed libraries, followed without numbers."""
