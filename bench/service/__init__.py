"""The server under load: many clients at once on a store of real size."""
