"""The version of this package, apart so that everything may import it."""

from typing import Final

__version__: Final = "0.1.0"
