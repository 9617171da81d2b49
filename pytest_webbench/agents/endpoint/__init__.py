"""HTTP endpoints of models: asked patiently, with their refusals explained in plain words.

`open_endpoint` is what an agent type connects with.
"""

from .connect import open_endpoint
from .transport import Endpoint

__all__ = ["Endpoint", "open_endpoint"]
