"""Lists that a visitor narrows down, as shops have them: facets with counts, ranges, orders, pages.

    LAMPS = Listing(
        search=("name", "brand"),
        facets=("brand", "colour"),
        ranges=("price",),
        orders={"cheap": Order("price"), "new": Order("year", descending=True)},
        size=24,
    )
    shown = LAMPS.show(Catalogue(rows), Wanted(query="desk", chosen={"brand": ["Lux"]}))

How a choice stands in the address (as parameters, in the path, in one coded parameter) is the
site's own: it reads the address into a `Wanted`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .catalogue import Catalogue, PageOf, Row


@dataclass(frozen=True, slots=True)
class Order:
    """One order of a list: by a field, which every row has."""

    field: str
    descending: bool = False


@dataclass(frozen=True)
class Wanted:
    """What a visitor has chosen, read from the address."""

    query: str = ""
    chosen: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Values by facet; any of a facet's values is enough, but all facets must hold."""
    bounds: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    """Lowest and highest value by range, both included; None leaves an end open."""
    order: str = ""
    page: str | int | None = 1


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value of a facet, as it stands beside the list."""

    value: str
    count: int
    """How many rows of the list would have it, whatever is chosen of the same facet."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A list as it is shown."""

    rows: Catalogue
    """All rows that are wanted, in order."""
    page: PageOf[Row]
    facets: dict[str, list[FacetValue]]


@dataclass(frozen=True, kw_only=True)
class Listing:
    """How a list can be narrowed down; texts of ``search`` count in their order."""

    search: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    orders: Mapping[str, Order] = field(default_factory=dict)
    size: int = 24

    def show(self, rows: Catalogue, wanted: Wanted) -> Shown:
        """The list that is wanted; facets, ranges and orders that are unknown change nothing."""
        within = rows.search(wanted.query, *self.search)
        within = within.keep(lambda row: self._is_within(row, wanted))
        found = self._narrowed(within, wanted)
        if order := self.orders.get(wanted.order):
            found = found.sort(order.field, descending=order.descending)
        facets = {name: self._values(name, within, wanted) for name in self.facets}
        return Shown(found, found.page(wanted.page, self.size), facets)

    def _is_within(self, row: Row, wanted: Wanted) -> bool:
        for name in self.ranges:
            low, high = wanted.bounds.get(name, (None, None))
            value = row.get(name)
            if (low, high) != (None, None) and not _between(value, low, high):
                return False
        return True

    def _narrowed(self, rows: Catalogue, wanted: Wanted, without: str = "") -> Catalogue:
        for name in self.facets:
            if name != without and wanted.chosen.get(name):
                rows = _having(rows, name, set(wanted.chosen[name]))
        return rows

    def _values(self, name: str, within: Catalogue, wanted: Wanted) -> list[FacetValue]:
        chosen = set(wanted.chosen.get(name, ()))
        counted = dict(self._narrowed(within, wanted, without=name).counts(name))
        known = [str(value) for value, _ in within.counts(name)]
        known += sorted(chosen - set(known))
        counts = {str(value): count for value, count in counted.items()}
        return [FacetValue(value, counts.get(value, 0), value in chosen) for value in known]


def _having(rows: Catalogue, name: str, values: set[str]) -> Catalogue:
    return rows.keep(lambda row: bool(values & _of(row, name)))


def _between(value: Any, low: float | None, high: float | None) -> bool:
    if not isinstance(value, int | float):
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def _of(row: Row, name: str) -> set[str]:
    value = row.get(name)
    return set(map(str, value)) if isinstance(value, list) else {str(value)}
