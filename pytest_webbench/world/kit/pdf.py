"""Real PDF files, made of plain lines."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO

import pydyf
from starlette.responses import Response

_PAGE: tuple[int, int] = (595, 842)
_MARGIN = 56
_LEADING = 18
_LINES = (_PAGE[1] - 2 * _MARGIN) // _LEADING


def pdf(lines: Iterable[str], *, name: str = "") -> Response:
    """A PDF document in A4, one line of text below the other; it opens under ``name`` if given.

    Characters outside of Western Europe's become question marks: the standard fonts lack them.
    """
    document = pydyf.PDF()
    font = pydyf.Dictionary(
        {
            "Type": "/Font",
            "Subtype": "/Type1",
            "BaseFont": "/Helvetica",
            "Encoding": "/WinAnsiEncoding",
        }
    )
    document.add_object(font)
    listed = list(lines)
    for start in range(0, max(1, len(listed)), _LINES):
        _add_page(document, font, listed[start : start + _LINES])
    written = BytesIO()
    document.write(written)
    headers = {"content-disposition": f'inline; filename="{name}"'} if name else {}
    return Response(written.getvalue(), media_type="application/pdf", headers=headers)


def _add_page(document: pydyf.PDF, font: pydyf.Object, lines: list[str]) -> None:
    stream = pydyf.Stream()
    stream.begin_text()
    stream.set_font_size("F1", 12)
    stream.set_text_matrix(1, 0, 0, 1, _MARGIN, _PAGE[1] - _MARGIN)
    for line in lines:
        stream.show_text_string(line.encode("cp1252", "replace"))
        stream.move_text_to(0, -_LEADING)
    stream.end_text()
    document.add_object(stream)
    document.add_page(
        pydyf.Dictionary(
            {
                "Type": "/Page",
                "Parent": document.pages.reference,
                "MediaBox": pydyf.Array([0, 0, *_PAGE]),
                "Contents": stream.reference,
                "Resources": pydyf.Dictionary({"Font": pydyf.Dictionary({"F1": font.reference})}),
            }
        )
    )
