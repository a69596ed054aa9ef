"""The pages: each function answers one address, for one visit."""
