"""Excel workbooks as a stream."""
