"""Draws the refs of elements on a picture of the page.

On the picture and not in the page, which would notice.
"""

from __future__ import annotations

import io
from typing import Final

from ..errors import SettingsError
from .observation import Observation

_COLOURS: Final = ("#c00000", "#0050c0", "#007000", "#8000a0", "#a05000", "#006070")


def with_marks(picture: bytes, observation: Observation) -> bytes:
    """The JPEG with a frame and the ref on every element in view.

    `SettingsError` without the package pillow.
    """
    try:  # an extra of this distribution, for the few who want marks
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise SettingsError(
            "numbered marks on screenshots need the package pillow: "
            "pip install 'pytest-webbench[visual]'"
        ) from error
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    scale = image.width / max(1, observation.viewport[0])
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(size=11 * scale)
    shown = [one for one in observation.elements if one.in_view and one.box]
    for number, element in enumerate(shown):
        assert element.box is not None, "filtered above"
        left, top, width, height = (value * scale for value in element.box)
        colour = _COLOURS[number % len(_COLOURS)]
        draw.rectangle(
            (left, top, left + width, top + height), outline=colour, width=max(1, round(scale))
        )
        label = draw.textbbox((left, max(0, top - 12 * scale)), element.ref, font=font)
        draw.rectangle((label[0] - 1, label[1] - 1, label[2] + 1, label[3] + 1), fill=colour)
        draw.text((left, max(0, top - 12 * scale)), element.ref, fill="white", font=font)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=75)
    return out.getvalue()
