"""The route of an episode: pages that were in front, how each was opened, and from where."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from pytest_webbench.checks.address import AddressPattern, address_issues
from pytest_webbench.checks.metrics.route import CameFrom
from pytest_webbench.checks.route import How, PagesSeen
from pytest_webbench.evidence.models import Evidence, HowOpened, PageSeen

START = "https://shop.example/"
LIST = "https://shop.example/lamps?sort=price&max=50"
ITEM = "https://shop.example/lamps/brass-17"
HOP = "https://shop.example/out?to=17"


def seen(*pages: tuple[str, str, int | None], final: int | None = None, **more: Any) -> Evidence:
    """Evidence with pages as (address, how, number of the page before)."""
    last = len(pages) if final is None else final
    return Evidence(
        pages_seen=tuple(
            PageSeen.model_validate(
                {
                    "number": number,
                    "url": url,
                    "how": how,
                    "opened_from": opener,
                    "final": number == last,
                    **more,
                }
            )
            for number, (url, how, opener) in enumerate(pages, start=1)
        )
    )


def score(evidence: Evidence, expected: Any, **options: Any) -> float:
    return CameFrom(**options).score(PagesSeen().read(evidence), expected)


FILTERED = {"path": "/lamps", "params": {"exactly": {"max": 50, "sort": "price"}}}


# -- the getter --------------------------------------------------------------


def test_pages_are_listed_with_the_page_they_were_opened_from() -> None:
    found = PagesSeen().read(seen((START, "start", None), (LIST, "click", 1)))
    assert [(page["url"], page["how"], page["from"]) for page in found] == [
        (START, "start", None),
        (LIST, "click", 1),
    ]


def test_options_keep_pages_by_address_way_and_opener() -> None:
    evidence = seen((START, "start", None), (LIST, "click", 1), (ITEM, "typed", None))
    by_address = PagesSeen(url_pattern="lamps").read(evidence)
    by_way = PagesSeen(how=["typed"]).read(evidence)
    by_opener = PagesSeen.model_validate({"type": "pages_seen", "from": "example/$"}).read(evidence)
    assert [page["number"] for page in by_address] == [2, 3]
    assert [page["number"] for page in by_way] == [3]
    assert [page["number"] for page in by_opener] == [2]


def test_text_is_what_a_page_showed_first_and_last() -> None:
    evidence = Evidence(pages_seen=(PageSeen(number=1, url=START, text="12", text_left="13"),))
    assert PagesSeen(with_text=True).read(evidence)[0]["text"] == "12\n13"


def test_stored_getter_keeps_its_option_from() -> None:
    getter = PagesSeen.model_validate({"type": "pages_seen", "from": "lamps"})
    assert PagesSeen.model_validate_json(getter.model_dump_json()) == getter


def test_ways_in_task_files_are_those_of_evidence() -> None:
    assert set(get_args(How)) == set(HowOpened)


# -- the metric --------------------------------------------------------------


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([(LIST, "click", 1), (ITEM, "click", 2)], id="plain"),
        pytest.param([(LIST, "typed", None), (ITEM, "click", 2)], id="list typed, item clicked"),
        pytest.param(
            [
                (LIST, "click", 1),
                (START, "click", 2),
                (LIST, "back_forward", None),
                (ITEM, "click", 4),
            ],
            id="looked around",
        ),
        pytest.param(
            [(LIST, "click", 1), (ITEM, "click", 2), (ITEM, "reload", None)], id="reloaded"
        ),
        pytest.param(
            [
                (LIST, "click", 1),
                (ITEM, "click", 2),
                (START, "click", 3),
                (ITEM, "back_forward", None),
            ],
            id="came back to the item",
        ),
        pytest.param([(LIST, "input", 1), (ITEM, "click", 2)], id="list chosen in a control"),
        pytest.param(
            [(LIST, "click", 1), (ITEM, "click", 2), (ITEM + "#reviews", "click", 3)],
            id="a place in the item",
        ),
        pytest.param(
            [
                (LIST, "click", 1),
                (ITEM + "#top", "click", 2),
                (ITEM + "#reviews", "typed", 3),
                (ITEM, "script", 4),
            ],
            id="places in the item",
        ),
    ],
)
def test_item_opened_from_the_list_holds(pages: list[Any]) -> None:
    assert score(seen((START, "start", None), *pages), FILTERED) == 1.0


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([(LIST, "click", 1), (ITEM, "typed", None)], id="item typed"),
        pytest.param([(LIST, "click", 1), (ITEM, "script", 2)], id="item opened by script"),
        pytest.param(
            [(ITEM, "click", 1), (LIST, "click", 2), (ITEM, "typed", None)], id="list last"
        ),
        pytest.param([(ITEM, "click", 1)], id="no list"),
        pytest.param(
            [
                (LIST, "click", 1),
                ("https://shop.example/lamps?sort=price", "click", 2),
                (ITEM, "click", 3),
            ],
            id="filter undone",
        ),
        pytest.param(
            [
                ("https://shop.example/lamps?sort=price&max=50&max=90", "click", 1),
                (ITEM, "click", 2),
            ],
            id="second value",
        ),
        pytest.param(
            [(LIST + "&color=red", "click", 1), (ITEM, "click", 2)], id="another filter besides"
        ),
        pytest.param(
            [(LIST, "click", 1), (ITEM, "back_forward", None)], id="back to nothing known"
        ),
        pytest.param(
            [(LIST, "click", 1), (ITEM, "typed", 2), (ITEM + "#reviews", "click", 3)],
            id="item typed, then a place in it",
        ),
        pytest.param(
            [(LIST + "#/all", "click", 1), (LIST + "#/red", "click", 2), (ITEM, "typed", 3)],
            id="item typed after a list in the fragment",
        ),
    ],
)
def test_other_ways_do_not_hold(pages: list[Any]) -> None:
    assert score(seen((START, "start", None), *pages), FILTERED) == 0.0


def test_pages_in_between_must_be_allowed() -> None:
    evidence = seen((LIST, "start", None), (HOP, "click", 1), (ITEM, "script", 2))
    assert score(evidence, FILTERED) == 0.0
    assert score(evidence, FILTERED, via=[{"path": "/out"}]) == 1.0


def test_episode_without_a_judged_page_does_not_hold() -> None:
    assert score(Evidence(), FILTERED) == 0.0
    assert score(seen((LIST, "start", None), (ITEM, "click", 1), final=9), FILTERED) == 0.0


def test_one_matching_pattern_is_enough() -> None:
    evidence = seen((LIST, "start", None), (ITEM, "click", 1))
    assert score(evidence, ["/chairs", FILTERED]) == 1.0
    assert score(evidence, ["/chairs"]) == 0.0


@pytest.mark.parametrize("result", [None, "text", [{"number": 1}], [1], {"a": 1}])
def test_value_other_than_a_list_of_pages_does_not_hold(result: Any) -> None:
    assert CameFrom().score(result, FILTERED) == 0.0


@pytest.mark.parametrize(
    ("expected", "at"),
    [
        ([], ()),
        ({"pth": "/lamps"}, ("pth",)),
        ({"path": "("}, ("path",)),
        ({"host": "https://shop.example"}, ("host",)),
        ([{"path": "/a"}, {"params": {"exactly": 3}}], (1, "params", "exactly")),
        ({"params": {"matches": {"q": []}}}, ("params", "matches", "q")),
    ],
)
def test_malformed_expectation_is_named(expected: Any, at: tuple[str | int, ...]) -> None:
    issues = CameFrom().issues(expected)
    assert issues, expected
    assert issues[0].at == at


@pytest.mark.parametrize("mark", ["#/", "#!/"])
def test_addresses_in_the_fragment_are_pages_by_themselves(mark: str) -> None:
    app = "https://shop.example/app" + mark
    cheap, dear, item = app + "lamps?max=50", app + "lamps?max=900", app + "lamps/brass-17"

    def route(*urls: str) -> Evidence:
        return seen(*((url, "click", number) for number, url in enumerate(urls)))

    assert score(route(START, dear, cheap, item), {"fragment": "max=50$"}) == 1.0
    assert score(route(START, cheap, dear, item), {"fragment": "max=50$"}) == 0.0


REVIEWS = ITEM + "/reviews"
OTHER_ITEM = "https://shop.example/lamps/brass-18"
OTHER_LIST = "https://shop.example/lamps?sort=price"


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([(LIST, "click", 1), (ITEM, "click", 2), (REVIEWS, "click", 3)], id="plain"),
        pytest.param(
            [(LIST, "click", 1), (ITEM, "click", 2), (REVIEWS, "typed", 3)], id="reviews typed"
        ),
        pytest.param(
            [(LIST, "click", 1), (ITEM, "click", 2), (START, "typed", 3), (REVIEWS, "typed", 4)],
            id="elsewhere before the reviews",
        ),
        pytest.param(
            [
                (LIST, "click", 1),
                (ITEM, "click", 2),
                (REVIEWS, "typed", 3),
                (ITEM, "click", 4),
                (REVIEWS, "click", 5),
            ],
            id="back to the item by a link",
        ),
        pytest.param(
            [
                (OTHER_LIST, "click", 1),
                (ITEM, "click", 2),
                (OTHER_LIST, "back_forward", 3),
                (LIST, "click", 4),
                (ITEM, "click", 5),
                (REVIEWS, "click", 6),
            ],
            id="list corrected",
        ),
    ],
)
def test_page_on_the_way_may_be_judged(pages: list[Any]) -> None:
    evidence = seen((START, "start", None), *pages)
    assert score(evidence, FILTERED, page="/lamps/brass-17", via=["/lamps/brass-17/.*"]) == 1.0


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([(LIST, "click", 1), (REVIEWS, "typed", 2)], id="item never opened"),
        pytest.param(
            [(LIST, "click", 1), (REVIEWS, "typed", 2), (ITEM, "click", 3)],
            id="item opened from its own reviews",
        ),
        pytest.param(
            [(LIST, "click", 1), (ITEM, "typed", 2), (REVIEWS, "click", 3)], id="item typed"
        ),
        pytest.param(
            [
                (LIST, "click", 1),
                (ITEM, "click", 2),
                (LIST, "back_forward", 3),
                (OTHER_LIST, "click", 4),
                (ITEM, "click", 5),
                (REVIEWS, "click", 6),
            ],
            id="opened last from another list",
        ),
    ],
)
def test_page_on_the_way_must_come_from_the_list(pages: list[Any]) -> None:
    evidence = seen((START, "start", None), *pages)
    assert score(evidence, FILTERED, page="/lamps/brass-17", via=["/lamps/brass-17/.*"]) == 0.0


@pytest.mark.parametrize(
    ("opened", "expected"),
    [(ITEM, 1.0), (ITEM + "/", 1.0), (ITEM + "?from=list", 1.0), (OTHER_ITEM, 0.0), (REVIEWS, 0.0)],
)
def test_a_page_may_have_to_be_the_parent_of_the_final_one(opened: str, expected: float) -> None:
    evidence = seen((LIST, "start", None), (opened, "click", 1), (REVIEWS, "typed", 2))
    assert score(evidence, "/lamps", page="/lamps/[^/]+", parent=True) == expected
    assert score(evidence, "/lamps", page="/lamps/.+", parent=False) == 1.0


@pytest.mark.parametrize("option", [{"page": {"pth": "/a"}}, {"via": [{"pth": "/a"}]}])
def test_malformed_option_is_named(option: dict[str, Any]) -> None:
    (issue,) = CameFrom(**option).issues("/lamps")
    assert issue.what.startswith(f"option {next(iter(option))}: ")


# -- address patterns --------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ({"host": "shop.example"}, "https://www.shop.example/x"),
        ({"path": "/lamps"}, "https://shop.example/lamps/"),
        ({"path": "/a b"}, "https://shop.example/a%20b"),
        ({"params": {"exactly": {"q": "Brass  Lamp"}}}, "https://s.example/?q=brass+lamp"),
        ({"params": {"exactly": {"c": ["red", "blue"]}}}, "https://s.example/?c=blue&c=red"),
        (
            {"params": {"exactly": {"q": "x"}, "ignoring": ["page"]}},
            "https://s.example/?page=2&q=x",
        ),
        ({"params": {"exactly": {"q": "x"}}}, "https://s.example/?q=x&empty="),
        ({"params": {"includes": {"q": "x"}, "without": ["all"]}}, "https://s.example/?q=x&p=1"),
        ({"params": {"matches": {"q": "^bra"}}}, "https://s.example/?q=brass"),
        ({"params": {"matches": {"q": "^bra"}}}, "https://s.example/?q=zebra&q=brass"),
        ({"params": {"matches": {"f": ["^k:", "^y:"]}}}, "https://s.example/?f=y:1&f=k:a"),
        ({"params": {"matches": {"f": ["^k:"]}}}, "https://s.example/?f=k:a&f=k:a"),
        ({"params": {"exactly": {"q": "x"}}}, "https://s.example/?q=x&utm_source=mail&gclid=1"),
        ({"params": {"exactly": {"q": "x"}, "ignoring": ["g_*"]}}, "https://s.example/?q=x&g_1=2"),
        ({"params": {"without": ["id_*"]}}, "https://s.example/?q=x&id_place="),
        ({"params": {"without": ["and[]"]}}, "https://s.example/?q=x&and[1]=2"),
        ({"fragment_params": {"exactly": {"tab": 2}}}, "https://s.example/#/list?tab=2"),
        ({"fragment": "reviews"}, "https://s.example/#/reviews"),
    ],
)
def test_pattern_accepts_the_address(pattern: dict[str, Any], url: str) -> None:
    assert address_issues(pattern) == []
    assert AddressPattern.model_validate(pattern).holds(url)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ({"host": "shop.example"}, "https://shop.example.evil.test/"),
        ({"host": "shop.example"}, "https://[broken"),
        ({"path": "/lamps"}, "https://shop.example/lamps/brass-17"),
        ({"path": "/a|/b"}, "https://shop.example/a/b/c"),
        ({"params": {"exactly": {"q": "x"}}}, "https://s.example/?q=x&color=red"),
        ({"params": {"exactly": {"q": "x"}}}, "https://s.example/?q=x&q=y"),
        ({"params": {"exactly": {"q": "x"}}}, "https://s.example/"),
        ({"params": {"includes": {"q": ["x", "y"]}}}, "https://s.example/?q=x"),
        ({"params": {"without": ["all"]}}, "https://s.example/?all=1"),
        ({"params": {"matches": {"q": "^bra"}}}, "https://s.example/?q=zebra"),
        ({"params": {"matches": {"q": ["^bra"]}}}, "https://s.example/?q=zebra&q=brass"),
        ({"params": {"matches": {"q": ["^bra"]}}}, "https://s.example/?p=brass"),
        ({"params": {"matches": {"f": ["^k:", "^y:"]}}}, "https://s.example/?f=k:a"),
        ({"params": {"matches": {"f": ["^k:", "^y:"]}}}, "https://s.example/?f=k:a&f=y:1&f=z:1"),
        ({"params": {"exactly": {"q": "x"}, "ignoring": ["g_*"]}}, "https://s.example/?q=x&g=2"),
        ({"params": {"without": ["id_*"]}}, "https://s.example/?q=x&id_place=x1"),
        ({"params": {"without": ["and[]"]}}, "https://s.example/?q=x&and[]=2"),
    ],
)
def test_pattern_refuses_the_address(pattern: dict[str, Any], url: str) -> None:
    assert not AddressPattern.model_validate(pattern).holds(url)
