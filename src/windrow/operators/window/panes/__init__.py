"""Windows of columns: partial results by pane and key in arrays, of which windows are made when they fire."""
