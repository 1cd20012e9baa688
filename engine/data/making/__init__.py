"""From the cells of one row to a finished example, a file for each shape."""
