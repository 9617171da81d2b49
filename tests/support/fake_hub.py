"""A double of the dataset's hub on loopback, which can misbehave, and its encrypted archive."""

from __future__ import annotations

import io
import json
import os
import re
import struct
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PASSWORD = b"mind2web"
ROOT = "/datasets/osunlp/Mind2Web/resolve/main"


def task(number: int, *, steps: int = 2, size: int = 1, site: str = "shop") -> dict[str, Any]:
    """A task as the dataset has it; ``size`` times the same row makes the pages long."""
    row = '<div backend_node_id="7"><a backend_node_id="8">Ünïted "quoted" {brace} [list]</a></div>'
    page = f'<html backend_node_id="1"><body backend_node_id="2">{row * size}</body></html>'
    action = {
        "action_uid": "u",
        "raw_html": page,
        "cleaned_html": page,
        "operation": {"op": "CLICK", "original_op": "HOVER", "value": ""},
        "pos_candidates": [
            {"tag": "a", "backend_node_id": "8", "is_original_target": True, "attributes": "{}"}
        ],
        "neg_candidates": [],
    }
    return {
        "annotation_id": f"t{number}",
        "website": site,
        "domain": "Shopping",
        "subdomain": "General",
        "confirmed_task": f"Do {number}",
        "action_reprs": ["[link]  Ünïted -> CLICK"] * steps,
        "actions": [action] * steps,
    }


_TABLE: list[int] = []
for _number in range(256):
    for _ in range(8):
        _number = (_number >> 1) ^ 0xEDB88320 if _number & 1 else _number >> 1
    _TABLE.append(_number)


def encrypted(data: bytes) -> bytes:
    """PKWARE's traditional encryption (APPNOTE 6.1), as the dataset's archive has it."""
    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte: int) -> None:
        keys[0] = _TABLE[(keys[0] ^ byte) & 255] ^ (keys[0] >> 8)
        keys[1] = ((keys[1] + (keys[0] & 255)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = _TABLE[(keys[2] ^ (keys[1] >> 24)) & 255] ^ (keys[2] >> 8)

    for byte in PASSWORD:
        update(byte)
    out = bytearray()
    for byte in data:
        mask = keys[2] | 2
        out.append(byte ^ (((mask * (mask ^ 1)) >> 8) & 255))
        update(byte)
    return bytes(out)


def archive(members: Mapping[str, bytes]) -> bytes:
    """An encrypted zip file."""
    out, directory = io.BytesIO(), b""
    for name, data in members.items():
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        packed, check = packer.compress(data) + packer.flush(), zlib.crc32(data)
        secret = encrypted(os.urandom(11) + bytes([check >> 24]) + packed)
        common = struct.pack(
            "<HHHHHIIIHH", 20, 1, 8, 0, 0x21, check, len(secret), len(data), len(name.encode()), 0
        )
        directory += (
            struct.pack("<IH", 0x02014B50, 20)
            + common
            + struct.pack("<HHHII", 0, 0, 0, 0, out.tell())
        )
        directory += name.encode()
        out.write(struct.pack("<I", 0x04034B50) + common + name.encode() + secret)
    end = struct.pack(
        "<IHHHHIIH", 0x06054B50, 0, 0, len(members), len(members), len(directory), out.tell(), 0
    )
    return out.getvalue() + directory + end


@dataclass
class Hub:
    """What the double serves and how it behaves; ``asked`` are the requests that came."""

    files: dict[str, bytes] = field(default_factory=dict)
    url: str = ""
    ranges: bool = True
    status: int = 200
    redirect_to: str = ""
    token: str = ""
    break_after: int | None = None
    """Bytes of each answer's body after which the connection ends, as long as ``breaks`` are
    left.
    """
    breaks: int = 0
    change_etag: bool = False
    asked: list[tuple[str, str | None, str | None]] = field(default_factory=list)
    sent: int = 0

    def add_tasks(self, path: str, tasks: list[dict[str, Any]]) -> None:
        self.files[f"{ROOT}/{path}"] = json.dumps(tasks, ensure_ascii=False).encode()

    def add_archive(self, members: Mapping[str, list[dict[str, Any]]]) -> None:
        packed = {
            name: json.dumps(tasks, ensure_ascii=False).encode() for name, tasks in members.items()
        }
        self.files[f"{ROOT}/test.zip"] = archive(packed)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hub: Hub

    def log_message(self, *_: object) -> None: ...

    def do_GET(self) -> None:
        hub, wanted = self.hub, self.headers.get("Range")
        hub.asked.append((self.path, wanted, self.headers.get("Authorization")))
        if hub.redirect_to:
            self.send_response(302)
            self.send_header("Location", hub.redirect_to + self.path)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        denied = hub.token and self.headers.get("Authorization") != f"Bearer {hub.token}"
        status = 403 if denied else hub.status
        content = hub.files.get(self.path)
        if status != 200 or content is None:
            self.send_response(status if status != 200 else 404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self._send(content, wanted if hub.ranges else None)

    def _send(self, content: bytes, wanted: str | None) -> None:
        hub = self.hub
        start, end = 0, len(content)
        if wanted:
            found = re.fullmatch(r"bytes=(\d+)-(\d*)", wanted)
            assert found is not None, wanted
            start, end = int(found[1]), min(end, int(found[2]) + 1) if found[2] else end
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(end - start))
        self.send_header("ETag", f'"v{len(hub.asked) if hub.change_etag else 1}"')
        if wanted:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(content)}")
        self.end_headers()
        body = content[start:end]
        if hub.break_after is not None and hub.breaks > 0 and len(body) > hub.break_after:
            hub.breaks -= 1
            body = body[: hub.break_after]
            self.close_connection = True
        for at in range(0, len(body), 1 << 15):
            try:
                self.wfile.write(body[at : at + (1 << 15)])
            except OSError:  # whoever asked has seen enough
                return
            hub.sent += len(body[at : at + (1 << 15)])


@contextmanager
def running(hub: Hub) -> Iterator[Hub]:
    """The double at work; its address is in ``url``."""
    handler = type("Handler", (_Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    ).start()
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
