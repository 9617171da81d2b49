"""A closed expression language in Python's spelling: ``lambda u, t, x, a: ...`` as in Suite C.

An expression is parsed to a syntax tree, every node of which must be on a list, and the tree is
interpreted here. Nothing is compiled, imported, looked up in a namespace or executed.
"""

from .grammar import NAMES, Program, program
from .machine import evaluate

__all__ = ["NAMES", "Program", "evaluate", "program"]
