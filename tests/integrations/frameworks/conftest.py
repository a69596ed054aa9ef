"""The frameworks that resolve apart from all others; `make test-frameworks` runs these tests."""
