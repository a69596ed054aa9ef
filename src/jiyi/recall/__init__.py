"""① A query becomes ranked hits and a budgeted context."""
