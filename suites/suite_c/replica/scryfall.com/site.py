"""Replica of Scryfall.

Advanced search form, query syntax, sortable results in four displays, card pages.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any, TypeAlias
from urllib.parse import parse_qs, urlencode

from pytest_webbench.world.kit import (
    Catalogue,
    RedirectResponse,
    Request,
    Response,
    Row,
    Site,
    slugify,
)

Condition: TypeAlias = Callable[[Row], bool]

site = Site(__file__)
SETS = site.data("sets")
PER_PAGE = 20
COLORS = {"w": "White", "u": "Blue", "b": "Black", "r": "Red", "g": "Green"}
FORMATS = ["standard", "pioneer", "modern", "legacy", "pauper", "vintage", "commander"]
RARITIES = ["common", "uncommon", "rare", "mythic"]
ORDERS = {
    "name": "Name",
    "released": "Release Date",
    "set": "Set/Number",
    "rarity": "Rarity",
    "color": "Color",
    "usd": "Price: USD",
    "tix": "Price: TIX",
    "eur": "Price: EUR",
    "cmc": "Mana Value",
    "power": "Power",
    "toughness": "Toughness",
}
DISPLAYS = {"grid": "Images", "checklist": "Checklist", "text": "Text Only", "full": "Full"}
UNIQUES = {"cards": "Cards", "prints": "All Prints"}
DIRECTIONS = {"auto": "Auto", "asc": "Asc", "desc": "Desc"}
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    ":": operator.eq,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
TOKEN = re.compile(
    r'-?\(|\)|-?[a-z]+(?:>=|<=|!=|[:=<>])(?:"[^"]*"|[^\s()]+)|"[^"]*"|[^\s()]+', re.I
)
TERM = re.compile(r"([a-z]+)(>=|<=|!=|[:=<>])(.+)", re.I)


def _number(text: str) -> float:
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else 0.0


def _mana_value(cost: str) -> int:
    symbols = re.findall(r"{([^}]+)}", cost)
    return sum(_mana(symbol) for symbol in symbols)


def _mana(symbol: str) -> int:
    if symbol.isdigit():
        return int(symbol)
    return 0 if symbol == "X" else 1


def _prints(card: Row) -> list[Row]:
    colors = [letter for letter in "wubrg" if letter.upper() in card["cost"]]
    common = {
        **card,
        "slug": slugify(card["name"].replace("'", "")),
        "colors": colors,
        "mv": _mana_value(card["cost"]),
        "pow": _number(card["power"]),
        "tou": _number(card["toughness"]),
    }
    rows = []
    for code, number, rarity, usd, eur, tix in card["prints"]:
        row = {"set": code, "number": number, "rarity": rarity, "usd": usd, "eur": eur, "tix": tix}
        facts = {"set_name": SETS[code]["name"], "released": SETS[code]["released"]}
        rows.append({**common, **row, **facts, "url": f"/card/{code}/{number}/{common['slug']}"})
    return rows


cards = Catalogue([row for card in site.data("cards") for row in _prints(card)])
TYPES = sorted({word for row in cards for word in row["type"].split() if word != "—"})


def _colors_meet(row: Row, sign: str, value: str, *, plain: str) -> bool:
    names = {name.casefold(): {letter} for letter, name in COLORS.items()} | {
        "colorless": set(),
        "c": set(),
    }
    wanted = names.get(value, set(value))
    if not wanted:
        sign = "="
    elif sign == ":":
        sign = plain
    return OPERATORS[sign](set(row["colors"]), wanted)


def _numeric(field: str) -> Callable[[Row, str, str], bool]:
    return lambda row, sign, value: OPERATORS[sign](row[field], _number(value))


def _contains(field: str) -> Callable[[Row, str, str], bool]:
    return lambda row, _sign, value: value in row[field].casefold()


def _status(status: str) -> Callable[[Row, str, str], bool]:
    return lambda row, _sign, value: (
        row["legalities"].get(value) in (status, "restricted" if status == "legal" else "")
    )


def _commander(row: Row, sign: str, value: str) -> bool:
    return _colors_meet(row, sign, value, plain="<=")


KEYS: dict[str, Callable[[Row, str, str], bool]] = {
    **dict.fromkeys(("t", "type"), _contains("type")),
    **dict.fromkeys(("o", "oracle"), _contains("text")),
    **dict.fromkeys(("name",), _contains("name")),
    **dict.fromkeys(
        ("c", "color"), lambda row, sign, value: _colors_meet(row, sign, value, plain=">=")
    ),
    **dict.fromkeys(("id", "identity", "commander"), _commander),
    **dict.fromkeys(("mv", "cmc", "manavalue"), _numeric("mv")),
    **dict.fromkeys(("pow", "power"), _numeric("pow")),
    **dict.fromkeys(("tou", "toughness"), _numeric("tou")),
    **{field: _numeric(field) for field in ("usd", "eur", "tix")},
    **dict.fromkeys(("f", "format", "legal"), _status("legal")),
    **{status: _status(status) for status in ("banned", "restricted")},
    **dict.fromkeys(("r", "rarity"), lambda row, _sign, value: row["rarity"].startswith(value)),
    **dict.fromkeys(
        ("s", "e", "set"),
        lambda row, _sign, value: value in (row["set"], row["set_name"].casefold()),
    ),
}


def _term(token: str) -> Condition:
    match = TERM.fullmatch(token)
    if match is None:
        word = token.strip('"').casefold()
        return lambda row: word in row["name"].casefold()
    key, sign, value = match[1].casefold(), match[2], match[3].strip('"').casefold()
    meets = KEYS.get(key, _unknown)
    return lambda row: meets(row, sign, value)


def _condition(tokens: list[str]) -> Condition:
    """The condition that tokens express up to a closing bracket, which is taken off them."""
    choices: list[list[Condition]] = [[]]
    while tokens and (token := tokens.pop(0)) != ")":
        if token.casefold() == "or":
            choices.append([])
        elif token.casefold() != "and":
            bare = token.removeprefix("-")
            one = _condition(tokens) if bare == "(" else _term(bare)
            choices[-1].append(_negated(one) if token != bare else one)
    return lambda row: any(all(one(row) for one in terms) for terms in choices)


def _unknown(_row: Row, _sign: str, _value: str) -> bool:
    return False


def _negated(condition: Condition) -> Condition:
    return lambda row: not condition(row)


@site.get("/")
def home(request: Request) -> Response:
    return site.render("home.html", request, query="", count=len(cards))


@site.get("/advanced")
def advanced(request: Request) -> Response:
    return site.render(
        "advanced.html",
        request,
        query="",
        types=TYPES,
        colors=COLORS,
        formats=FORMATS,
        rarities=RARITIES,
        sets=SETS,
        orders=ORDERS,
        displays=DISPLAYS,
    )


@site.get("/advanced", methods=["POST"])
async def advanced_search(request: Request) -> Response:
    form = parse_qs((await request.body()).decode())
    first = {name: values[0].strip() for name, values in form.items()}
    target = {
        "as": first.get("as", "grid"),
        "order": first.get("order", "name"),
        "q": _query(form, first),
    }
    if "unique" in first:
        target["unique"] = "prints"
    return RedirectResponse(f"/search?{urlencode(target)}", 303)


CONDITIONS = {
    "oracle": 'oracle:"{oracle}"',
    "stat_value": "{stat}{stat_mode}{stat_value}",
    "format": "{format_mode}:{format}",
    "set": "set:{set}",
    "price": "{currency}{price_mode}{price}",
}


def _query(form: dict[str, list[str]], first: dict[str, str]) -> str:
    """What is filled in, in the site's own syntax."""
    parts = [first.get("name", "")]
    parts += [f"type:{one.casefold()}" for one in form.get("type[]", [])]
    if "color[]" in form:
        parts.append(f"color{first['color_comparison']}{''.join(form['color[]'])}")
    if "identity[]" in form:
        parts.append(f"commander:{''.join(form['identity[]'])}")
    for field, condition in CONDITIONS.items():
        if field in first:
            parts.append(condition.format(**first))
    rarities = " OR ".join(f"rarity:{one}" for one in form.get("rarity[]", []))
    parts.append(f"({rarities})" if " OR " in rarities else rarities)
    return " ".join(part for part in parts if part)


@site.get("/search")
def search(request: Request) -> Response:
    asked = request.query_params
    query, order = asked.get("q", "").strip(), asked.get("order", "name")
    found = cards.keep(_condition(TOKEN.findall(query)))
    if asked.get("unique") != "prints":
        found = Catalogue(list({row["name"]: row for row in found.sort("released")}.values()))
    page = _ordered(found, order, asked.get("dir", "auto")).page(asked.get("page"), PER_PAGE)
    if page.total == 1:
        return RedirectResponse(page.items[0]["url"], 302)
    chosen = {
        "unique": asked.get("unique", "cards"),
        "as": asked.get("as", "grid"),
        "order": order,
        "dir": asked.get("dir", "auto"),
    }
    menus = [
        ("unique", "Show", UNIQUES),
        ("as", "Display as", DISPLAYS),
        ("order", "Sorted by", ORDERS),
        ("dir", "Direction", DIRECTIONS),
    ]
    return site.render("search.html", request, query=query, page=page, chosen=chosen, menus=menus)


def _ordered(found: Catalogue, order: str, direction: str) -> Catalogue:
    keys: dict[str, Callable[[Row], Any]] = {
        "set": lambda row: (row["set"], int(row["number"])),
        "rarity": lambda row: RARITIES.index(row["rarity"]),
        "color": lambda row: (
            len(row["colors"]),
            "".join(str("wubrg".index(one)) for one in row["colors"]),
        ),
    }
    fields = {
        "released": "released",
        "usd": "usd",
        "tix": "tix",
        "eur": "eur",
        "cmc": "mv",
        "power": "pow",
        "toughness": "tou",
    }
    field = fields.get(order, "name")
    automatic = order in ("released", "usd", "eur", "tix", "rarity")
    descending = direction == "desc" or (direction != "asc" and automatic)
    by_name = found.sort("name")
    return Catalogue(
        sorted(by_name, key=keys.get(order, lambda row: row[field]), reverse=descending)
    )


@site.get("/card/{set}/{number}/{slug}")
@site.get("/card/{set}/{number}")
def card(request: Request) -> Response:
    row = cards.one(set=request.path_params["set"], number=request.path_params["number"])
    if row is None:
        return _missing(request)
    return site.render(
        "card.html", request, query="", card=row, prints=cards.where(name=row["name"]).rows
    )


@site.not_found
def missing(request: Request) -> Response:
    return _missing(request)


def _missing(request: Request) -> Response:
    return site.render("missing.html", request, status=404, query="")
