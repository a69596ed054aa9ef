"""Personal data found, sealed and erased."""
