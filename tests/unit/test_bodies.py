"""What a request sent, as data."""

from __future__ import annotations

import pytest

from pytest_webbench.evidence.bodies import MOST_BYTES, Body, read_body

FORM = "multipart/form-data; boundary=X"
PARTS = (
    b'--X\r\nContent-Disposition: form-data; name="q"\r\n\r\nred \xc3\xa9\r\n'
    b'--X\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\ndata\r\n--X--\r\n'
)


@pytest.mark.parametrize(
    ("content_type", "data", "body"),
    [
        ("", None, Body()),
        (
            "application/x-www-form-urlencoded;charset=UTF-8",
            b"a=1&a=%C3%A9&b=",
            Body(form={"a": ["1", "é"], "b": [""]}),
        ),
        ("application/json", b'{"a": [1]}', Body(body={"a": [1]})),
        ("application/vnd.api+json", b"[1]", Body(body=[1])),
        ("text/plain", b'{"a": 1}', Body(body={"a": 1})),
        ("application/json", b"{broken", Body(body="{broken")),
        ("application/json", b"[" * 15_000, Body(body="[" * 15_000)),
        ("text/plain", b"words", Body(body="words")),
        ("", b"\xff\xfe", Body(body="(2 bytes)")),
        ("text/plain", b"x" * (MOST_BYTES + 1), Body(body="(20001 bytes)")),
        (FORM, PARTS, Body(form={"q": ["red é"], "f": ["(file a.txt, 4 bytes)"]})),
    ],
)
def test_response_body_is_decoded(content_type: str, data: bytes | None, body: Body) -> None:
    assert read_body(content_type, data) == body
