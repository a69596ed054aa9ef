"""The contracts of other frameworks on top of a `Memory`, one module each; see
docs/integrations.md. A module imports its framework, and nothing here imports a module."""
