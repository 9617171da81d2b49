"""Pictures of curves, as PNG files."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

Point = tuple[float, float]


def curve_picture(points: Iterable[Point], *, size: int = 300, axes: bool = True) -> str:
    """A curve through ``points`` in a square that it fills, as an address for ``<img src>``."""
    listed = list(points)
    rows = [bytearray(b"\xff" * 3 * size) for _ in range(size)]
    place = _fitted(listed, size)
    if axes:
        x, y = place((0.0, 0.0))
        _draw(rows, [(x, 0), (x, size)], b"\xbb\xbb\xbb", 1)
        _draw(rows, [(0, y), (size, y)], b"\xbb\xbb\xbb", 1)
    _draw(rows, [place(point) for point in listed], b"\x3f\x5e\x9e", 2)
    return "data:image/png;base64," + base64.b64encode(_png(rows)).decode()


def _fitted(points: list[Point], size: int) -> Callable[[Point], Point]:
    xs, ys = zip(*points, strict=True)
    reach = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    scale = 0.9 * size / reach
    middle = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return lambda point: (
        size / 2 + (point[0] - middle[0]) * scale,
        size / 2 - (point[1] - middle[1]) * scale,
    )


def _draw(rows: list[bytearray], points: list[Point], colour: bytes, width: int) -> None:
    size = len(rows)
    for x, y in _dots(points):
        for row in range(max(0, y), min(size, y + width)):
            for column in range(max(0, x), min(size, x + width)):
                rows[row][3 * column : 3 * column + 3] = colour


def _dots(points: list[Point]) -> Iterator[tuple[int, int]]:
    for (x, y), (to_x, to_y) in pairwise(points):
        steps = int(max(abs(to_x - x), abs(to_y - y))) + 1
        for step in range(steps + 1):
            share = step / steps
            yield round(x + (to_x - x) * share), round(y + (to_y - y) * share)


def _png(rows: list[bytearray]) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + check

    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    parts = [chunk(b"IHDR", header), chunk(b"IDAT", pixels), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
