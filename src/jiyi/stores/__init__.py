"""Where truth lives: one adapter per database, over a shared SQL implementation in `sql`."""
