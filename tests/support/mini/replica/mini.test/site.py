"""A site with one page for everything that can go right or wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pytest_webbench.world.kit import RedirectResponse, Request, Response, Site

site = Site(__file__)

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
    "/busy": """<title>Busy</title><h1>Busy</h1><button id=outer>Outer</button> <button id=inner>Inner</button>
        <label>Word <input id=word></label><p id=log></p><script>
        const inner = document.getElementById('inner'), word = document.getElementById('word');
        inner.addEventListener('click', () => document.getElementById('log').append('inner '));
        document.getElementById('outer').addEventListener('click', () => {
          inner.click();
          word.value = 'set';
          word.dispatchEvent(new InputEvent('input', { bubbles: true }));
        });
        inner.click();
        addEventListener('load', () => inner.click());</script>""",
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
    "/endless": """<title>Endless</title><header id=head>Lamps</header><ul id=rows></ul>
        <p id=lazy></p><script>
        const rows = document.getElementById('rows');
        const show = (begin) => { rows.innerHTML = Array.from({ length: 20 }, (_, at) =>
          `<li style="height:100px">Lamp ${begin + at}</li>`).join(''); };
        show(1);
        addEventListener('scroll', () => {
          history.pushState(null, '', '/endless?page=2');
          document.title = 'Page 2';
          localStorage.seen = 'yes';
          document.cookie = 'seen=yes';
          document.getElementById('head').textContent = 'Menu';
          document.getElementById('lazy').textContent = 'lazy words';
          document.body.insertAdjacentHTML('beforeend', '<dialog open>Join us</dialog>');
          alert('hello');
          open('/popup');
          show(21);
        }, { once: true });</script>""",
    "/leaves": """<title>Leaves</title><p>Stay</p><div style="height:3000px"></div><script>
        addEventListener('scroll', () => { location.href = '/next'; });</script>""",
    "/reloads": """<title>Reloads</title><p>Settled</p><script>
        const times = Number(sessionStorage.times ?? 0) + 1;
        sessionStorage.times = times;
        if (times < 6) location.reload();</script>""",
    "/restless": """<title>Restless</title><p>Never</p><script>location.reload()</script>""",
    "/refreshes": """<title>Refreshes</title><meta http-equiv=refresh content=1><p>Score 2:1</p>
        <div style="height:3000px"></div>""",
    "/kept": """<title>Kept</title><p id=kept></p><script>
        const kept = [localStorage.unit, document.cookie, sessionStorage.unit];
        document.getElementById('kept').textContent = kept.join(' ');</script>""",
    # Each part leads on once it is used as a hand would.
    "/gestures": """<title>Gestures</title><style>#menu ul { display: none } #menu:hover ul { display: block }
        #square, #thumb, #piece { position: absolute; width: 60px; height: 60px; background: silver }
        #square { left: 300px; top: 400px } #thumb { left: 10px; top: 500px } #piece { left: 100px; top: 400px }</style>
        <div id=menu>Products<ul><li><a href=/next>Next</a></ul></div>
        <div id=card draggable=true>Card</div> <div id=board style="width:200px;height:80px">Board</div>
        <canvas id=map width=200 height=100></canvas> <span id=tip>Tip</span>
        <label>Photo <input id=photo type=file style="display:none"></label>
        <div id=square>Square</div><div id=piece>Piece</div><div id=thumb></div><script>
        const go = () => { location.href = '/next'; };
        const on = (id, kind, act) => document.getElementById(id).addEventListener(kind, act);
        on('card', 'dragstart', (event) => event.dataTransfer.setData('text', 'card'));
        on('board', 'dragover', (event) => event.preventDefault());
        on('board', 'drop', (event) => { if (event.dataTransfer.getData('text') === 'card') go(); });
        on('map', 'click', (event) => {
          if (Math.hypot(event.offsetX - 150, event.offsetY - 20) < 3) go();
        });
        on('tip', 'mouseenter', go);
        on('photo', 'change', async (event) => {
          if (await event.target.files[0].text() === 'seven lamps') go();
        });
        const follow = (id, arrived) => on(id, 'pointerdown', (down) => {
          const thing = document.getElementById(id);
          const [left, top] = [thing.offsetLeft, thing.offsetTop];
          thing.setPointerCapture(down.pointerId);
          thing.onpointermove = (move) => {
            thing.style.left = left + move.clientX - down.clientX + 'px';
            thing.style.top = top + move.clientY - down.clientY + 'px';
          };
          thing.onpointerup = (up) => { thing.onpointermove = null; if (arrived(up)) go(); };
        });
        const square = document.getElementById('square');
        follow('piece', (up) =>
          document.elementsFromPoint(up.clientX, up.clientY).includes(square));
        follow('thumb', (up) => Math.abs(up.clientX - 160) < 10);</script>""",
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
