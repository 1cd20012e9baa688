"""What the columns of a table may mean: a file for each shape, pure over a sample of rows."""
