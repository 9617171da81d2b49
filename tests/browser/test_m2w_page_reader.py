"""Recorded pages in a real browser: what loading loses, and how targets are covered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pytest_webbench.mind2web.page_reader import PageReader
from pytest_webbench.mind2web.records import RecordedStep, read_jsonl

GOLDEN = Path(__file__).parents[1] / "golden" / "mind2web"
PARITY = json.loads((GOLDEN / "parity_cases.json").read_text(encoding="utf-8"))

pytestmark = pytest.mark.browser

FILLER = "".join(f'<i backend_node_id="{number}">x</i>' for number in range(10, 4110))
MADE = {
    # 4,000 nodes are the reference's limit, asked where a walk through children begins
    "node_limit_4000": f'<div>{FILLER}</div><button backend_node_id="1">x</button>',
    "node_limit_4000_deep": f'<div>{FILLER}</div><div><button backend_node_id="1">x</button></div>',
}


@pytest.fixture(scope="module")
def reader(mini_browser: Browser) -> Iterator[PageReader]:
    made = PageReader(mini_browser)
    yield made
    made.close()


def step(html: str, *gold: str, **facts: object) -> RecordedStep:
    known = {
        "cleaned_html": html,
        "gold_backend_node_id": gold[0] if gold else "",
        "gold_backend_node_ids": gold,
    }
    return RecordedStep.model_validate({**known, **facts})


@pytest.mark.parametrize("case", PARITY, ids=lambda case: case["name"])
def test_compat_loader_agrees_with_the_reference(
    reader: PageReader, case: dict[str, object]
) -> None:
    html = case["html"] or MADE[str(case["name"])]
    _, cover = reader.read_compat(step(str(html), str(case["gold"])))
    assert cover.covered is case["covered"]
    # The reference also accepts what is within a target that it does not cover.
    accepted = case["accepted_refs"] if cover.covered else []
    assert sorted(cover.accepted) == sorted(accepted)  # type: ignore[call-overload]


def test_real_page_in_all_three_modes(reader: PageReader) -> None:
    """One step of the dataset: handed to an HTML parser, 8 of its 77 nodes end up under another
    parent.
    """
    recorded = next(read_jsonl(GOLDEN / "tock_train_excerpt_steps.jsonl"))
    compat, _ = reader.read_compat(recorded)
    seen = {mode: reader.read(recorded, mode) for mode in ("expand", "dom")}
    assert (compat.nodes, compat.lost, compat.misplaced) == (77, 0, 8)
    for mode, one in seen.items():
        assert (one.page.nodes, one.page.lost, one.page.misplaced) == (77, 0, 0), mode
        assert (one.cover.kind, one.tag) == ("exact", "select")
    link = [
        element for element in seen["dom"].observation.elements if element.name == "Tock home page"
    ]
    assert {element.role for element in link} == {"link"}


@pytest.mark.parametrize(
    ("html", "lost"),
    [
        (
            '<div backend_node_id="1"><td backend_node_id="2"><text>31</text></td></div>',
            {"compat": 1, "expand": 1},
        ),
        (
            '<iframe backend_node_id="1"><button backend_node_id="2">Pay</button></iframe>',
            {"compat": 1, "expand": 1},
        ),
        (
            '<form backend_node_id="1"><form backend_node_id="2"><input '
            'backend_node_id="3"/></form></form>',
            {"compat": 1, "expand": 1},
        ),
        (
            '<div backend_node_id="1"><textarea backend_node_id="2"/><a '
            'backend_node_id="3">x</a></div>',
            {"compat": 1},
        ),
    ],
    ids=["cell", "iframe", "form", "textarea"],
)
def test_dom_keeps_nodes_that_html_parsers_lose(
    reader: PageReader, html: str, lost: dict[str, int]
) -> None:
    recorded = step(html, "2")
    found = {mode: reader.read(recorded, mode).page.lost for mode in ("expand", "dom")}
    found["compat"] = reader.read_compat(recorded)[0].lost
    assert found == {"compat": 0, "expand": 0, "dom": 0, **lost}


@pytest.mark.parametrize(
    ("html", "kind", "distance", "shared"),
    [
        ('<button backend_node_id="1">Go</button>', "exact", 0, 1),
        (
            '<a backend_node_id="2"><b backend_node_id="3"><i backend_node_id="1">Go</i></b></a>',
            "ancestor",
            2,
            3,
        ),
        (
            '<label backend_node_id="1">Size <input type="checkbox" backend_node_id="2"/></label>',
            "label",
            0,
            2,
        ),
        (
            '<div backend_node_id="1"><button backend_node_id="2">Go</button></div>',
            "descendant",
            0,
            1,
        ),
        (
            '<p backend_node_id="1">Nothing to click</p><button backend_node_id="2">Go</button>',
            "none",
            0,
            0,
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isalpha() else "",
)
def test_coverage_of_a_target(
    reader: PageReader, html: str, kind: str, distance: int, shared: int
) -> None:
    cover = reader.read(step(f"<div>{html}</div>", "1")).cover
    assert (cover.kind, cover.distance, cover.in_prompt) == (kind, distance, kind != "none")
    if kind != "label":
        assert cover.shared_by == shared


def test_long_page_is_shown_in_part_but_counted_in_full(
    reader: PageReader,
) -> None:
    rows = "".join(f'<a backend_node_id="{number}">Item {number}</a> ' for number in range(1, 401))
    first, last = (reader.read(step(f"<div>{rows}</div>", gold)) for gold in ("1", "400"))
    assert (len(first.observation.elements), first.observation.left_out, first.page.refs) == (
        250,
        150,
        400,
    )
    assert (first.cover.kind, first.cover.in_prompt) == ("exact", True)
    assert (last.cover.kind, last.cover.in_prompt) == ("exact", False)


def test_reading_both_ways_at_once_gives_what_each_gives_alone(reader: PageReader) -> None:
    recorded = next(read_jsonl(GOLDEN / "tock_train_excerpt_steps.jsonl"))
    seen, compat = reader.read_both(recorded)
    alone, (_, compat_alone) = reader.read(recorded), reader.read_compat(recorded)
    assert (seen.observation, seen.cover, seen.nodes) == (
        alone.observation,
        alone.cover,
        alone.nodes,
    )
    assert compat == compat_alone
    framed = step('<iframe srcdoc="&lt;button>b&lt;/button>"/><a backend_node_id="1">a</a>', "1")
    assert reader.read_both(framed)[1] == reader.read_compat(framed)[1]


def test_clickable_node_without_layout_is_not_counted_as_missed(reader: PageReader) -> None:
    html = (
        '<div><a backend_node_id="1">a</a><a backend_node_id="2">b</a>'
        '<p backend_node_id="3">c</p></div>'
    )
    page = reader.read(step(html, "1", hidden=("2",), clickable=("1", "2", "3"))).page
    assert (page.clickable, page.clickable_covered, page.false_refs) == (2, 2, 0)


def test_best_covered_target_counts_and_every_target_is_accepted(reader: PageReader) -> None:
    html = (
        '<p backend_node_id="1">x</p><button backend_node_id="2">a</button>'
        '<button backend_node_id="3">b</button>'
    )
    cover = reader.read(step(f"<div>{html}</div>", "1", "2", "3")).cover
    assert (cover.kind, len(cover.accepted)) == ("exact", 2)


def test_recorded_states_and_clickability_are_restored(reader: PageReader) -> None:
    html = (
        '<div><input backend_node_id="1" type="checkbox" aria_label="Wifi" input_checked="true"/>'
        '<input backend_node_id="2" type="text" aria_label="City" input_value="Boston"/>'
        '<select backend_node_id="3" aria_label="Size"><option backend_node_id="4">S</option>'
        '<option backend_node_id="5" option_selected="true">M</option></select>'
        '<div backend_node_id="6">Menu</div><button backend_node_id="7">Hidden</button></div>'
    )
    seen = reader.read(step(html, "6", hidden=("7",), clickable=("6",)))
    states = {
        (one.role, one.name): one.value if one.value is not None else one.checked
        for one in seen.observation.elements
    }
    assert states[("checkbox", "Wifi")] is True
    assert states[("textbox", "City")] == "Boston"
    assert states[("combobox", "Size")] == "M"
    assert ("button", "Hidden") not in states
    assert seen.cover.kind == "exact"
    assert (seen.page.clickable, seen.page.clickable_covered) == (1, 1)


def test_refs_begin_at_1_on_every_page(reader: PageReader) -> None:
    recorded = step(
        '<div><button backend_node_id="1">a</button><a backend_node_id="2">b</a></div>', "1"
    )
    first, second = reader.read(recorded), reader.read(recorded)
    assert [element.ref for element in first.observation.elements] == ["e1", "e2"]
    assert first.observation == second.observation
    assert first.cover == second.cover


def test_recorded_page_runs_no_script_and_makes_no_request(reader: PageReader) -> None:
    html = (
        '<div backend_node_id="1"><script>document.title = "ran"</script>'
        '<img src="http://127.0.0.1:9/x.png" onerror="document.title = \'ran\'"/>'
        '<button backend_node_id="2">a</button></div>'
    )
    seen = reader.read(step(html, "2"))
    assert seen.observation.title == ""
    page, _ = reader.read_compat(step(html, "2"))
    assert page.nodes == 2


def test_page_that_is_not_xml_is_read_and_counted_as_malformed(reader: PageReader) -> None:
    seen = reader.read(step('<div><button backend_node_id="1">a & b</div>', "1"))
    assert (seen.page.nodes, seen.page.lost, seen.cover.kind) == (None, None, "exact")


def test_step_without_a_target_is_not_covered(reader: PageReader) -> None:
    assert reader.read(step('<button backend_node_id="1">a</button>')).cover.kind == "none"


def test_markup_for_reports_holds_every_node_and_nothing_that_acts(reader: PageReader) -> None:
    html = (
        '<html backend_node_id="1"><body backend_node_id="2" id="own">'
        '<svg backend_node_id="3" onclick="x()"/><shop-cart backend_node_id="4">Cart</shop-cart>'
        '<textarea backend_node_id="5" text_value="a &lt; b"/><script>x()</script>'
        '<iframe backend_node_id="6"><a backend_node_id="7" title="in a frame">inner</a></iframe>'
        "</body></html>"
    )
    recorded = step(html, "7")
    view = reader.read(recorded)
    assert view.markup.html == (
        '<div id="node-2"><span id="node-3"></span><span id="node-4">Cart</span>'
        '<textarea value="a &lt; b" id="node-5">a &lt; b</textarea>'
        '<div id="node-6"><a title="in a frame" href="#" id="node-7">inner</a></div></div>'
    )
    target = view.markup.nodes["7"]
    assert (target.tag, target.text, dict(target.attributes)["title"]) == (
        "a",
        "inner",
        "in a frame",
    )
    reader.read_compat(recorded)
    assert 'id="node-4"' in reader.markup.html
    assert "<script" not in reader.markup.html
