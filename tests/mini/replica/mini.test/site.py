"""A site with one page for everything that can go right or wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pytest_webbench.world.kit import RedirectResponse, Request, Response, Site

site = Site(__file__, hosts=("other.test",))

PAGES = {
    "/": """<title>Home</title><h1>Home</h1>
        <a href="/next">Next</a> <a href="/popup" target="_blank">New tab</a> <a href="/hang">Hang</a>
        <a href="/dialogs">Dialogs</a> <a href="/wall">Wall</a> <a href="/odd">Odd</a> <a href="/file">File</a>
        <a href="/error">Error</a> <a href="/form">Form</a> <a href="/long">Long</a> <a href="/parts">Parts</a>
        <a href="http://nowhere.test/x">Elsewhere</a>""",
    "/next": "<title>Next</title><h1>Next</h1><p>You got here.</p><a href='/'>Home</a>",
    "/popup": "<title>Popup</title><h1>In a new tab</h1><button onclick='close()'>Close</button>",
    "/hang": "<title>Hang</title><h1>Hang</h1><script>setTimeout(() => { for (;;); }, 50)</script>",
    "/dialogs": """<title>Dialogs</title><h1>Dialogs</h1>
        <script>setTimeout(() => { for (;;) alert('again') }, 50)</script>""",
    "/wall": """<title>Just a moment...</title><h1>mini.test</h1>
        <p>Verify you are human by completing the action below.</p>""",
    "/odd": """<title>Odd</title><h1>Odd</h1><p id=odd></p><script>
        document.title = 'Odd \\ud83d \\u0007';
        document.getElementById('odd').textContent = 'half \\ud83d null \\u0000 bell \\u0007 end';</script>""",
    "/form": """<title>Form</title><form action="/next"><label>Name <input name=name></label>
        <label>Secret <input name=secret type=password></label>
        <label>Day <input name=day type=date></label>
        <label>Size <select name=size><option>Small<option>Large</select></label>
        <label><input type=checkbox name=gift> Gift</label> <button>Send</button></form>""",
    "/long": """<title>Long</title><h1>Long</h1><div style="height:4000px"></div><p id=lazy>not yet</p><script>
        new IntersectionObserver(async (entries) => {
          if (!entries[0].isIntersecting) return;
          const text = await (await fetch('/slow')).text();
          document.getElementById('lazy').textContent = text;
        }).observe(document.getElementById('lazy'));</script>""",
    "/parts": """<title>Parts</title><h1>Parts</h1><div id=host></div>
        <iframe id=same src="/inner" title="Same site"></iframe>
        <iframe id=cross src="https://other.test/inner" title="Other site"></iframe>
        <p style="display:none">hidden words</p><script>
        const root = document.getElementById('host').attachShadow({ mode: 'open' });
        root.innerHTML = '<p id=deep>shadow words</p><button>Shadow button</button>';</script>""",
    "/inner": "<title>Inner</title><p id=inner>framed words</p><button>Framed button</button>",
}


@site.get("/file")
def download(request: Request) -> Response:
    return Response("data", headers={"content-disposition": "attachment; filename=file.txt"})


@site.get("/error")
def error(request: Request) -> Response:
    return Response("broken", status_code=500)


@site.get("/slow")
async def slow(request: Request) -> Response:
    await asyncio.sleep(0.2)
    return Response("lazily loaded words")


@site.get("/flaky")
def flaky(request: Request) -> Response:
    """Answers 503 as often as the file ``failures`` beside the suite says."""
    counter = Path(__file__).parents[2] / "failures"
    left = int(counter.read_text()) if counter.exists() else 0
    if left:
        counter.write_text(str(left - 1))
        return Response("try again", status_code=503)
    return RedirectResponse("/", 302)


@site.get("/{page:path}")
def page(request: Request) -> Response:
    body = PAGES.get(request.url.path)
    return Response(
        f"<!doctype html><meta charset=utf-8>{body or '<title>Missing</title>Missing'}",
        status_code=200 if body else 404,
        media_type="text/html",
    )
