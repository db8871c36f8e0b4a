"""Arrays of numpy, torch, jax and xarray, and masked ones, by what they offer: none of these packages is imported."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

# By frame.
Frames: TypeAlias = NDArray[Any] | list[NDArray[Any]]

# Whole numbers that numpy can store in a file and the command cannot read.
_STORED_AS = {"i1": "i2", "u8": "i8"}


def array(values: Any) -> NDArray[Any]:
    """The numbers on the processor, as numpy has them; a mask stays."""
    if isinstance(values, np.ma.MaskedArray):
        return values
    for step in ("detach", "cpu"):
        method = getattr(values, step, None)
        values = method() if callable(method) else values
    if str(getattr(values, "dtype", "")) == "torch.bfloat16":
        values = values.float()
    by_protocol = hasattr(values, "__dlpack__") and not hasattr(values, "__array__")
    numbers: NDArray[Any] = np.from_dlpack(values) if by_protocol else np.asarray(values)
    return numbers.astype("f4") if numbers.dtype.name == "bfloat16" else numbers


def stack(values: Any, name: str) -> NDArray[Any]:
    """Maps as [N, h, w]: of [h, w], one frame; of [N, h, w]; of [N, 1, h, w] or [N, h, w, 1]."""
    numbers = array(values)
    maps = numbers
    if maps.ndim == 4 and 1 in (maps.shape[1], maps.shape[3]):
        maps = maps[:, 0] if maps.shape[1] == 1 else maps[..., 0]
    maps = maps[None] if maps.ndim == 2 else maps
    if maps.ndim != 3 or maps.dtype.kind not in "fiu":
        raise ValueError(
            f"{name} must be numbers of shape [h, w], [N, h, w] or [N, 1, h, w], and is {numbers.dtype} of {numbers.shape}"
        )
    if maps.size == 0:
        raise ValueError(f"{name} is empty: its shape is {numbers.shape}")
    return maps


def frames(values: Any, name: str) -> Frames:
    """A map [h, w] for each frame. In a list of arrays every frame may have a size of its own."""
    if _is_list_of_arrays(values):
        return [frame for item in values for frame in stack(item, name)]
    return stack(values, name)


def pictures(values: Any) -> Frames:
    """Colours of each frame, from [H, W, 3] or [3, H, W], or N of them: 0 to 255 in uint8, or real numbers from 0 to 1."""
    if _is_list_of_arrays(values):
        return [frame for item in values for frame in pictures(item)]
    colours = array(values)
    colours = colours[None] if colours.ndim == 3 else colours
    if colours.ndim == 4 and colours.shape[3] != 3 and colours.shape[1] == 3:
        colours = np.moveaxis(colours, 1, 3)
    if colours.ndim != 4 or colours.shape[3] != 3 or not (colours.dtype == np.uint8 or colours.dtype.kind == "f"):
        raise ValueError(
            f"images must be [N, H, W, 3] or [N, 3, H, W], uint8 or real, and are {colours.dtype} of {colours.shape}"
        )
    if colours.dtype.kind == "f" and not all(frame.min() >= 0 and frame.max() <= 1 for frame in colours):
        raise ValueError("images of real numbers must lie in 0 to 1; give those up to 255 as uint8")
    return colours


def stored(frame: NDArray[Any]) -> NDArray[Any]:
    """A map as a file holds it: real numbers in 32 bits, whole numbers as they are; what is masked is not a number."""
    if isinstance(frame, np.ma.MaskedArray):
        plain = np.ma.getdata(frame)
        frame = np.where(np.ma.getmaskarray(frame), np.float32("nan"), plain) if np.ma.is_masked(frame) else plain
    kind = "f4" if frame.dtype.kind == "f" else _STORED_AS.get(frame.dtype.str[1:])
    return frame.astype(kind or frame.dtype.newbyteorder("<"))


def bytes_of_colour(frame: NDArray[Any]) -> NDArray[np.uint8]:
    """A picture in 8 bits a channel."""
    return (np.round(255 * frame) if frame.dtype.kind == "f" else frame).astype("u1")


def _is_list_of_arrays(values: Any) -> bool:
    return isinstance(values, (list, tuple)) and bool(values) and hasattr(values[0], "shape")
