"""Adapters of models that order the best hits again; see `jiyi.ports.Reranker`."""
