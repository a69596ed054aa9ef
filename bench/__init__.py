"""Quality and speed of recall on public benchmark folders; see bench/README.md."""
