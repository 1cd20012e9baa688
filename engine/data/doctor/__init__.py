"""The data doctor: what is wrong with rows, what it would do to a model, and how it is mended."""
