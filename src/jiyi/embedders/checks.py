"""What comes out of a model is checked once, here, before it is stored beside a name for ever."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from jiyi.errors import ModelError


def checked_vectors(
    raw: Any, *, count: int, dimension: int | None, name: str
) -> npt.NDArray[np.float32]:
    """Vectors as array of shape (count, dimension), float32, each of unit length.

    Args:
        raw: what the model returned: an array, or lists of numbers.
        dimension: the expected length; None takes the one that came.

    Raises:
        ModelError: not numbers, another shape, NaN or infinite values, or a zero vector.
    """
    try:
        vectors = np.array(raw, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise ModelError(f"embedder {name!r} did not return vectors: {error}") from error
    if count == 0:
        return np.zeros((0, dimension or 0), np.float32)
    if vectors.ndim != 2 or vectors.shape[0] != count or vectors.shape[1] == 0:
        raise ModelError(f"embedder {name!r} returned shape {vectors.shape} for {count} texts")
    if dimension is not None and vectors.shape[1] != dimension:
        raise ModelError(
            f"embedder {name!r} returned {vectors.shape[1]} dimensions instead of {dimension}"
        )
    if not np.isfinite(vectors).all():
        raise ModelError(f"embedder {name!r} returned NaN or infinite values")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not (lengths > 0).all():
        raise ModelError(f"embedder {name!r} returned a zero vector")
    unit: npt.NDArray[np.float32] = vectors / lengths
    return unit
