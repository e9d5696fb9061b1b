"""The server, over its socket and without a browser."""

import http.client
import importlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest

from rlct.certificate.verify import verify
from rlct.cli.main import main
from rlct.errors import InputError
from rlct.serve import answer_pool, page
from rlct.serve.answer_page import answer_html
from rlct.serve.answer_pool import ClientGoneError, PoolBusyError
from rlct.serve.limits import ServeLimits
from rlct.serve.question import LONGEST_ADDRESS, read_address
from rlct.serve.server import Server
from rlct.serve.theory_page import theory_html
from rlct.serve.unfolding import cells_html

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server():
    with serving(ServeLimits()) as found:
        yield found


@contextmanager
def serving(limits):
    with Server(0, limits) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def get(server, path, method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=60)
    connection.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
    reply = connection.getresponse()
    text = reply.read().decode("utf-8")
    connection.close()
    return reply.status, text, reply.headers


def ask(kind, **values):
    return "/?" + urlencode({"kind": kind, **values})


def raw(server, data):
    """Send bytes that no client library would."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=30) as client:
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: client.recv(65536), b""))


def answers(server):
    """Whether a place is free for a connection."""
    with suppress(http.client.HTTPException, OSError):
        return get(server, "/style.css")[0] == 200
    return False


def soon(holds, seconds=20):
    """Whether it holds within this time, which a busy machine may take."""
    last = time.monotonic() + seconds
    while not (found := holds()) and time.monotonic() < last:
        time.sleep(0.1)
    return found


def test_only_this_machine(server):
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_the_first_page(server):
    status, text, headers = get(server, "/")
    assert status == 200
    assert '<label for="K">' in text
    assert 'id="answer"' not in text
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert headers["Cache-Control"] == "no-store"
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text


def test_an_answer(server):
    status, text, _ = get(server, ask("poly", K="(x^2 - y^3)^2"))
    assert status == 200
    assert "<title>λ = 5/12, θ = 1 · (x^2 - y^3)^2 · rlct</title>" in text
    assert "<mfrac><mn>5</mn><mn>12</mn></mfrac>" in text
    assert "verified by separate code" in text
    assert text.count("data:image/svg+xml;base64,") == 2
    assert "rlct poly &#x27;(x^2 - y^3)^2&#x27;" in text
    assert 'value="(x^2 - y^3)^2"' in text


def test_bounds(server):
    status, text, _ = get(server, ask("quadratic", inputs=30, units=31, outputs=5, bias="on"))
    assert status == 200
    assert "<mo>≤</mo><mi>λ</mi><mo>≤</mo><mn>545</mn>" in text
    assert ">bounds<" in text
    assert "exact<" not in text


def test_a_polyhedron_that_is_only_a_bound_says_so(server):
    _, text, _ = get(server, ask("ideal", generators="(x+y)^2\nx^3"))
    assert "only an upper bound of λ here" in text
    _, text, _ = get(server, ask("ideal", generators="x\ny^2"))
    assert "only an upper bound of λ here" not in text


def test_the_certificate_is_that_of_the_answer(server):
    query = ask("ideal", generators="x*y\ny*z\nz*x")
    status, text, headers = get(server, "/certificate.json" + query[1:])
    assert status == 200
    assert "attachment" in headers["Content-Disposition"]
    assert verify(json.loads(text))
    status, text, _ = get(server, "/answer.json" + query[1:])
    assert json.loads(text)["lambda"] == "3/4"
    status, text, headers = get(server, "/polygon.svg" + query[1:])
    assert status == 200
    assert "<svg" in text
    assert "sandbox" in headers["Content-Security-Policy"]


def test_models(server):
    status, text, _ = get(server, "/models")
    assert status == 200
    assert 'href="/?kind=mixture"' in text
    status, text, _ = get(server, ask("mixture", components=4, true=1))
    assert "<mfrac><mn>5</mn><mn>4</mn></mfrac>" in text
    assert '<label for="components">' in text


def test_a_quiz_hides_the_answer_until_it_is_guessed(server):
    question = {"K": "(x^2 - y^3)^2", "quiz": "on"}
    status, text, _ = get(server, ask("poly", **question))
    assert status == 200
    assert "<title>Quiz · (x^2 - y^3)^2 · rlct</title>" in text
    assert "/12" not in text
    assert "<mn>12</mn>" not in text
    guessed = get(server, ask("poly", **question, guess_lambda="1/2", guess_theta="<b>"))[1]
    assert (
        "λ is smaller than 1/2. A guess of θ is a number such as 5/12, not &#x27;&lt;b&gt;&#x27;."
        in guessed
    )
    assert ">right<" not in guessed
    guessed = get(server, ask("poly", **question, guess_lambda="10/24", guess_theta="1"))[1]
    assert ">right<" in guessed
    shown = re.findall(r'<a href="([^"]*)#answer">Show the answer', guessed)[0]
    assert "<title>λ = 5/12, θ = 1" in get(server, shown.replace("&amp;", "&"))[1]
    # What is only bounded cannot be guessed.
    bounds = ask("quadratic", inputs=30, units=31, outputs=5, bias="on", quiz="on")
    assert ">bounds<" in get(server, bounds)[1]


def test_rules_and_theorems_link_to_the_theory(server):
    _, text, _ = get(server, ask("poly", K="(x^2 - y^3)^2"))
    names = set(re.findall(r'href="/theory/([^"]*)"', text))
    assert {"newton", "conventions", "brieskorn-pham"} <= names
    for name in names:
        status, page_text, _ = get(server, f"/theory/{name}")
        assert status == 200
        assert '<h1 id="theory">' in page_text
    for name in ("nothing", "../README", "references.bib", "newton.md", ""):
        assert get(server, f"/theory/{name}")[0] == 404
    assert get(server, "/theory/newton?x")[0] == 404


@pytest.mark.slow
def test_every_page_of_the_theory_is_shown():
    """Each word of it, with links to pages that are there."""
    names = {path.stem for path in (ROOT / "theory").glob("*.md")}
    assert len(names) > 80
    for name in names:
        html = theory_html(name)
        assert set(re.findall(r'href="/theory/([^"]*)"', html)) <= names
        source = (ROOT / "theory" / f"{name}.md").read_text(encoding="utf-8")
        source, count = re.subn(r"\$\$?[^$]+\$\$?", "", source)
        assert html.count('<span class="math">') == count
        source = re.sub(r"\]\([^)]*\)|^```.*$|<!--.*?-->", "", source, flags=re.MULTILINE)
        words = set(re.findall(r"[^\W\d_]{4,}", unescape(re.sub(r"<[^>]*>", " ", html))))
        assert not set(re.findall(r"[^\W\d_]{4,}", source)) - words, name


def test_stars_of_formulas_stay():
    html = theory_html("mixture")
    flat = re.sub(r"</?(i|sub|sup|span)[^>]*>", "", html)
    assert "bi∗, vi = Σ ah (bh − bi∗) over them" in flat
    assert "<em>Upper bound.</em> K ≤ ∫ (p − p∗)2/p. By Taylor" in flat
    assert "<em>Given with the question: <code>distinct</code>.</em>" in html


def test_what_is_given_is_not_called_true(server):
    _, text, _ = get(server, ask("naive-bayes", features=2))
    assert "<p>exact if: all true probabilities of features" in text
    assert "<td>given</td><td>all true probabilities of features" in text
    assert "<td>true</td><td>all true probabilities of features" not in text
    _, text, _ = get(server, ask("norm", inputs=3, units=2))
    assert "−λ is no pole, so there is no θ." in text
    assert "no <math><mi>θ</mi></math>" in text
    assert "what lies between" not in text


def test_words_of_cells_are_no_formulas():
    """A cell without a zero has "any bound holds", which a formula would run together."""
    cell = SimpleNamespace(
        number=1, new=(), rule="absent", rule_text="(absent)", equations=(), settled="no zero",
        claim="any bound holds", deepest=False,
    )  # fmt: skip
    strata = SimpleNamespace(cells=[cell], chain=lambda first: [first], below=lambda end: [])
    assert "; any bound holds</summary>" in cells_html(strata)
    zero = SimpleNamespace(**{**vars(cell), "rule": "smooth", "claim": "λ = 1/2, θ = 1"})
    strata.cells = [zero]
    assert "<math" in cells_html(strata).partition("</summary>")[0]


def test_trees_unfold(server):
    _, text, _ = get(server, ask("poly", K="(x^2 - y^3)^2"))
    tree = text[text.index('<div class="unfold"') :]
    assert tree.count("<summary>Chart ") == 4
    first = tree[tree.index("<summary>Chart 1") : tree.index("<summary>Chart 2")]
    assert "<mo>=</mo><mfrac><mn>5</mn><mn>12</mn></mfrac>" in first
    assert "decides" in first
    assert "Strata of the fibre" not in text
    _, text, _ = get(server, ask("hidden-markov", states=2, symbols=2))
    cells = text[text.index("Strata of the fibre") :]
    assert cells.count('class="decides"') == 2
    assert "<msub><mi>d</mi><mn>2,1</mn></msub>" in cells


@pytest.mark.parametrize("path", ["/answer.json", "/certificate.json"])
def test_a_refusal_is_json_where_json_is_asked(server, path):
    status, text, headers = get(server, path + ask("poly", K="sin(x)")[1:])
    assert (status, headers["Content-Type"].partition(";")[0]) == (400, "application/json")
    assert json.loads(text) == {
        "schema": "rlct/1",
        "error": "sin(…) at position 1 is not a polynomial: use + - * ** only",
    }
    assert "error" not in json.loads(get(server, path + ask("poly", K="x^2")[1:])[1])
    assert get(server, path + "?kind=no-such")[1].startswith("{")
    assert get(server, "/no-such.json")[0] == 404


def test_the_page_says_what_its_certificate_takes_as_known(server):
    _, text, _ = get(server, ask("linear", widths="5 3 5", rank="1"))
    assert "<dt>Taken as known</dt>" in text
    assert "; rule theorem</li>" in text
    assert "Taken as known" not in get(server, ask("poly", K="x^2*y^4"))[1]


def test_the_page_says_the_lower_end_too(server):
    _, text, _ = get(server, ask("network", parameters="7"))
    assert "<mn>0</mn><mo>≤</mo><mi>λ</mi><mo>≤</mo>" in text


@pytest.mark.parametrize("path", ["/", "/tree.svg"])
def test_bad_input_is_one_line_on_the_page(server, path):
    status, text, _ = get(server, path + ask("poly", K="sin(x)")[1:])
    assert status == 400
    assert "<p>sin(…) at position 1 is not a polynomial: use + - * ** only</p>" in text
    assert 'role="alert"' in text
    assert "Traceback" not in text


def test_a_run_of_letters_is_refused_on_the_page_too(server):
    status, text, _ = get(server, ask("poly", K="(ab)^2"))
    assert status == 400
    assert "ab could mean a product: write" in text
    assert "(a*b)^2" in unescape(text)
    assert get(server, ask("poly", K="(ab)^2", at="ab=0"))[0] == 200


def test_a_plus_sign_in_an_address(server):
    """A plus sign stands for a space there: what was meant is one click away."""
    status, text, _ = get(server, "/?kind=poly&K=x^2+y^4")
    assert status == 400
    assert "In an address + stands for a space; a plus sign is %2B there" in text
    (meant,) = re.findall(r'Did you mean <a href="([^"]*)#answer">x\^2 \+ y\^4</a>', text)
    status, text, _ = get(server, meant.replace("&amp;", "&"))
    assert status == 200
    assert "<mfrac><mn>3</mn><mn>4</mn></mfrac>" in text
    assert "stands for a space" not in get(server, "/?kind=poly&K=sin(x)")[1]
    assert "stands for a space" not in get(server, "/?kind=linear&widths=5+3+5&rank=9")[1]


def test_what_was_typed_stays_text(server):
    evil = "</textarea></title><script>alert(1)</script>\"'><img src=x onerror=alert(1)>"
    for query in (
        ask("poly", K=evil),
        ask("poly", K="x^2", at=evil),
        ask("ideal", generators=evil),
        ask(evil),
        "/?" + urlencode({evil: "1"}),
        "/" + evil.replace(" ", "%20"),
    ):
        status, text, _ = get(server, query)
        assert status in (400, 404)
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert text.count("<script") == 1


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/static/../server.py",
        "/server.py",
        "/style.css/../../server.py",
        "/%2e%2e/server.py",
        "//etc/passwd",
        "/style.css?x",
        "http://127.0.0.1/style.css",
    ],
)
def test_no_other_file_is_served(server, path):
    status, text, _ = get(server, path)
    assert status in (200, 404, 421)
    assert "import" not in text
    assert "root:" not in text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "", "*"])
def test_other_names_for_this_machine_are_refused(server, host):
    reply = raw(
        server,
        f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode().replace(
            b"{port}", str(server.server_port).encode()
        ),
    )
    assert reply.startswith(b"HTTP/1.0 421 ")
    assert b"<form" not in reply or b"wrong host" in reply


def test_localhost_is_a_name_for_it(server):
    assert get(server, "/", Host=f"localhost:{server.server_port}")[0] == 200


def test_other_sites_may_link_and_not_embed(server):
    link = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert get(server, "/", **link, Sec_Fetch_Dest="document")[0] == 200
    assert get(server, "/", **link, Sec_Fetch_Dest="iframe")[0] == 403
    assert get(server, "/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")[0] == 403


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "BREW"])
def test_the_page_is_only_read(server, method):
    status, _, headers = get(server, "/", method)
    assert status == 405
    assert headers["Allow"] == "GET, HEAD"


def test_head(server):
    status, text, headers = get(server, "/", "HEAD")
    assert (status, text) == (200, "")
    assert int(headers["Content-Length"]) > 1000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\r\n\r\n", b""),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b""),
        (b"GET /\x00\xff HTTP/1.1\r\nHost: %b\r\n\r\n", b"404"),
        (b"GET /?K=\xff HTTP/1.1\r\nHost: %b\r\n\r\n", b"400"),
        (b"GET //[ HTTP/1.1\r\nHost: %b\r\n\r\n", b"404"),
        (b"GET http://[ HTTP/1.1\r\nHost: %b\r\n\r\n", b"404"),
        (b"GET /\r\n\r\n", b"421"),
        (b"GET / HTTP/9.9\r\n\r\n", b"505"),
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", b"414"),
        (b"GET /?K=" + b"x" * (LONGEST_ADDRESS + 1) + b" HTTP/1.1\r\nHost: %b\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n", b"431"),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 70_000 + b"\r\n\r\n", b"431"),
    ],
    ids=lambda value: value[:20] if isinstance(value, bytes) else None,
)
def test_strange_requests(server, data, code):
    host = f"127.0.0.1:{server.server_port}".encode()
    reply = raw(server, data.replace(b"%b", host))
    assert b"Traceback" not in reply
    assert reply[9:12] in (code, b"400")
    assert get(server, "/")[0] == 200


def test_a_port_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"cannot serve on port {port}: .*; try --port 0"):
            Server(port, ServeLimits())
    with pytest.raises(InputError, match="cannot serve on port 70000"):
        Server(70_000, ServeLimits())


HOSTILE = '''
"""What a question must not be able to do."""

import json
import time

from rlct.serve.limits import limit_process


def spin(query, limits, pipe):
    limit_process(limits)
    while True:
        pass


def half(query, limits, pipe):
    limit_process(limits)
    document = {"status": "exact", "notes": [], "where": "somewhere", "routes": [],
                "sources": [], "hypotheses": []}
    pipe.send_bytes(json.dumps(["answer", {"document": document, "headline": "λ = 1"}]).encode())
    time.sleep(60)


def hoard(query, limits, pipe):
    limit_process(limits)
    kept = []
    try:
        while True:
            kept.append(bytearray(2**24))
    except MemoryError:
        pipe.send_bytes(json.dumps(["error", {"message": f"{16 * len(kept)} MiB"}]).encode())
        kept.clear()
        pipe.send_bytes(b'["end", {}]')


def vanish(query, limits, pipe):
    import os
    os.abort()


def end(query, limits, pipe):
    import os
    os._exit(int(query[-3:]))


def write(query, limits, pipe):
    limit_process(limits)
    try:
        with open(query, "w") as file:
            file.write("stolen")
        said = "written"
    except OSError as error:
        said = type(error).__name__
    pipe.send_bytes(json.dumps(["error", {"message": said}]).encode())
    pipe.send_bytes(b'["end", {}]')


def wait(query, limits, pipe):
    time.sleep(60)
'''


@pytest.fixture
def hostile(tmp_path, monkeypatch):
    """Let questions be answered by one of the functions above."""
    (tmp_path / "hostile_work.py").write_text(HOSTILE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "hostile_work", raising=False)
    module = importlib.import_module("hostile_work")

    def use(name):
        monkeypatch.setattr(answer_pool, "send_answer", getattr(module, name))

    return use


ASKED = read_address("K=x^2")


def test_the_time_of_a_question_ends(hostile):
    hostile("spin")
    began = time.monotonic()
    found = answer_pool.AnswerPool(ServeLimits(seconds=1)).answer(ASKED)
    assert time.monotonic() - began < 10
    assert found.limited
    assert "no answer within the 1 seconds" in found.error


def test_what_came_in_time_is_shown(hostile):
    hostile("half")
    for seconds in (1.5, 6, 24):  # a busy machine takes long until the process says anything
        found = answer_pool.AnswerPool(ServeLimits(seconds=seconds)).answer(ASKED)
        if found.parts:
            break
    assert found.cut
    assert found.error is None
    assert found.parts["answer"]["headline"] == "λ = 1"


def test_the_memory_of_a_question_ends(hostile):
    hostile("hoard")
    found = answer_pool.AnswerPool(ServeLimits(memory=256)).answer(ASKED)
    assert 100 < int(found.error.split()[0]) <= 256


def test_a_process_that_dies_is_noticed(hostile):
    hostile("vanish")
    found = answer_pool.AnswerPool(ServeLimits()).answer(ASKED)
    assert found.limited
    assert "more memory than the 1024 MiB" in found.error


@pytest.mark.parametrize("code", [255, 254])
def test_the_end_of_the_server_is_not_called_a_lack_of_memory(hostile, code):
    """At its end two threads wait for the process: the second one to read its code gets 255."""
    hostile("end")
    found = answer_pool.AnswerPool(ServeLimits()).answer(read_address(f"K=x^{code}"))
    assert found.limited
    assert ("rlct serve was ended" in found.error) == (code == 255)


def test_a_question_writes_no_file(hostile, tmp_path, monkeypatch):
    hostile("write")
    monkeypatch.chdir(tmp_path)
    target = read_address("K=stolen")
    found = answer_pool.AnswerPool(ServeLimits()).answer(target)
    assert found.error == "OSError"
    stolen = tmp_path / target.query
    assert not stolen.exists() or stolen.stat().st_size == 0


def test_so_many_questions_at_once(hostile):
    hostile("wait")
    desk = answer_pool.AnswerPool(ServeLimits(seconds=1, questions=2))
    outcomes = []

    def one(k):
        try:
            outcomes.append(desk.answer(read_address(f"K=x^{k}")).limited)
        except PoolBusyError:
            outcomes.append("busy")

    threads = [threading.Thread(target=one, args=(k,)) for k in range(1, 9)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - began < 15
    assert outcomes.count("busy") >= 2
    assert outcomes.count(True) >= 2


def slow_work(monkeypatch, seconds):
    """Answer after some seconds, or as soon as the client goes away; list what was computed."""
    computed = []

    def work(self, query, client):
        computed.append(query)
        last = time.monotonic() + seconds
        while time.monotonic() < last:
            answer_pool._check(client)
            time.sleep(0.02)
        return answer_pool.ServedAnswer(parts={"answer": {"document": {}}}, limited=True)

    monkeypatch.setattr(answer_pool.AnswerPool, "_work", work)
    return computed


def in_threads(work, inputs):
    """What work makes of each input, or the class of what it raises, all at the same time."""
    outcomes, all_began = [None] * len(inputs), threading.Barrier(len(inputs))

    def one(k):
        all_began.wait()
        try:
            outcomes[k] = work(inputs[k])
        except (PoolBusyError, ClientGoneError) as error:
            outcomes[k] = type(error)

    threads = [threading.Thread(target=one, args=(k,)) for k in range(len(inputs))]
    for thread in threads:
        thread.start()
    return threads, outcomes


def test_equal_questions_share_one_computation(monkeypatch):
    """An answer that is not kept, for it was limited, is given to all who waited for it."""
    computed = slow_work(monkeypatch, 0.5)
    pool = answer_pool.AnswerPool(ServeLimits(questions=2, seconds=20))
    asked = [read_address(f"K=x^{k % 9 + 1}") for k in range(200)]
    threads, outcomes = in_threads(pool.answer, asked)
    for thread in threads:
        thread.join()
    assert len(computed) == len(set(computed)) == 9
    assert all(isinstance(found, answer_pool.ServedAnswer) for found in outcomes)
    pool.answer(asked[0])
    assert len(computed) == 10  # it is asked again once nobody waits for it


def test_those_who_wait_for_an_equal_question_are_not_lost_with_it(monkeypatch):
    computed = slow_work(monkeypatch, 1.0)
    pool = answer_pool.AnswerPool(ServeLimits(questions=1, seconds=20))
    asked = read_address("K=x^2")
    ends = [socket.socketpair() for _ in range(3)]
    threads, outcomes = in_threads(lambda pair: pool.answer(asked, pair[0]), ends)
    assert soon(lambda: len(computed) == 1)
    for k in (0, 1):  # whoever of the three computes
        ends[k][1].close()
    for thread in threads:
        thread.join()
    assert 1 <= len(computed) <= 3
    assert [outcome is ClientGoneError for outcome in outcomes] == [True, True, False]
    assert isinstance(outcomes[2], answer_pool.ServedAnswer)
    for pair in ends:
        for end in pair:
            end.close()


def test_equal_questions_are_refused_together_where_no_place_is_free(monkeypatch):
    slow_work(monkeypatch, 4.0)
    pool = answer_pool.AnswerPool(ServeLimits(questions=1, seconds=1))
    first, _ = in_threads(pool.answer, [read_address("K=x^2")])
    assert soon(lambda: pool._places._value == 0)
    threads, outcomes = in_threads(pool.answer, [read_address("K=x^4")] * 5)
    for thread in threads:
        thread.join()
    assert outcomes == [PoolBusyError] * 5
    assert first[0].is_alive()


def test_work_ends_when_nobody_waits(hostile):
    hostile("wait")
    with serving(ServeLimits(questions=1, seconds=50)) as server:
        path = ask("poly", K="x^2")
        with socket.create_connection(("127.0.0.1", server.server_port)) as client:
            host = f"127.0.0.1:{server.server_port}"
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert soon(lambda: server.answer_pool._places._value == 0)
        # Far less than the seconds of the question.
        assert soon(lambda: server.answer_pool._places._value == 1)


def test_so_many_connections_at_once():
    with serving(ServeLimits(connections=3)) as server:
        idle = [socket.create_connection(("127.0.0.1", server.server_port)) for _ in range(3)]
        with pytest.raises((http.client.HTTPException, OSError)):
            get(server, "/")
        for client in idle:
            client.close()
        assert soon(lambda: answers(server))


def test_slow_drips_do_not_hold_all_places():
    """Each sends a byte more often than a read may wait; the request as a whole has a limit."""
    with serving(ServeLimits(connections=4, request=1.0)) as server:
        slow = [socket.create_connection(("127.0.0.1", server.server_port)) for _ in range(4)]
        last, freed = time.monotonic() + 10, False
        while not freed and time.monotonic() < last:
            for client, part in zip(slow, ("request", "request", "header", "header"), strict=True):
                with suppress(OSError):
                    client.sendall(b"G" if part == "request" else b"GET / HTTP/1.1\r\nX: y\r\n")
            time.sleep(0.2)
            freed = answers(server)
        for client in slow:
            client.close()
    assert freed


def test_a_reply_that_nobody_takes_ends(monkeypatch):
    monkeypatch.setattr(page, "catalogue_page", lambda: "x" * 30_000_000)
    with (
        serving(ServeLimits(connections=1, request=1.0)) as server,
        socket.create_connection(("127.0.0.1", server.server_port)) as client,
    ):
        host = f"127.0.0.1:{server.server_port}"
        client.sendall(f"GET /models HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert client.recv(9) == b"HTTP/1.0 "
        assert soon(lambda: answers(server))


def test_what_came_too_late_is_asked_again(monkeypatch):
    """An answer without its picture, on a machine with much to do, is not kept."""
    found = {"answer": {"document": {}}, "tree": {"reason": "too little time", "late": True}}
    asked = []

    def work(self, query, client):
        asked.append(query)
        return answer_pool.ServedAnswer(parts=dict(found))

    monkeypatch.setattr(answer_pool.AnswerPool, "_work", work)
    place = answer_pool.AnswerPool(ServeLimits())
    place.answer(read_address("K=x^2"))
    place.answer(read_address("K=x^2"))
    assert len(asked) == 2
    del found["tree"]["late"]
    place.answer(read_address("K=x^2"))
    place.answer(read_address("K=x^2"))
    assert len(asked) == 3


def test_one_proved_end_is_not_called_both(server):
    asked = read_address("kind=tanh&inputs=2&hidden=3&outputs=1&true_hidden=1")
    whole = server.answer_pool.answer(asked)
    assert "Both ends are proved" in answer_html(asked, whole, server.limits)
    part = whole.parts["answer"] | {"lower": None}
    upper = replace(whole, parts=whole.parts | {"answer": part})
    text = answer_html(asked, upper, server.limits)
    assert "It is proved; more is not known to the program" in text
    assert "0 ≤ λ" not in text


def test_answers_are_kept(server):
    asked = read_address("kind=linear&widths=4+2+4&rank=1")
    one = server.answer_pool.answer(asked)
    assert server.answer_pool.answer(read_address("rank=1&kind=linear&widths=4+2+4")) is one


def test_a_fault_of_the_program_is_said(server, monkeypatch):
    def broken(*_):
        return answer_pool.ServedAnswer(error="internal error, please report it: oops", fault=True)

    monkeypatch.setattr(server.answer_pool, "answer", broken)
    status, text, _ = get(server, ask("poly", K="x^2"))
    assert status == 500
    assert "please report it: oops" in text


@pytest.mark.parametrize(
    ("fault", "printed"), [(EOFError("oops"), True), (BrokenPipeError(), False)]
)
def test_a_mistake_in_the_middle_is_printed_and_a_client_that_left_is_not(
    server, monkeypatch, capsys, fault, printed
):
    def fails(*_):
        raise fault

    monkeypatch.setattr(server.answer_pool, "answer", fails)
    with pytest.raises(http.client.RemoteDisconnected):
        get(server, ask("poly", K="x^2"))
    assert ("oops" in capsys.readouterr().err) is printed


#: The rank of a symmetric matrix by four units: the engine takes a minute.
HARD = "\n".join(
    " + ".join(f"{k + 1}*c{k}*{a}{k}*{b}{k}" for k in range(4)) for a, b in ("xx", "xy", "yy")
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_the_command_ends_while_it_answers(end, code):
    process = subprocess.Popen(
        [sys.executable, "-m", "rlct", "serve", "--port", "0", "--timeout", "90"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    try:
        line = process.stdout.readline()
        assert line.startswith("http://127.0.0.1:")
        address = line.split("/")[2]
        connection = http.client.HTTPConnection(address, timeout=60)
        connection.request("GET", ask("linear", widths="5 3 5", rank=1))
        text = connection.getresponse().read().decode("utf-8")
        assert "<mi>λ</mi><mo>=</mo><mn>8</mn>" in text
        assert 'data-seconds="90"' in text
        asking = http.client.HTTPConnection(address, timeout=60)
        asking.request("GET", ask("ideal", generators=HARD))
        time.sleep(1)  # the answer takes a minute
        process.send_signal(end)
        out, errors = process.communicate(timeout=20)
        assert (process.returncode, out, errors) == (code, "", "")
        with suppress(ConnectionError):  # it ends in silence, or says why
            assert "rlct serve was ended" in asking.getresponse().read().decode("utf-8")
        with Server(int(address.rpartition(":")[2]), ServeLimits()):  # the port is free
            pass
    finally:
        process.kill()
        process.wait()
    # Nothing of its group is left.
    last = time.monotonic() + 10
    while time.monotonic() < last:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    else:
        pytest.fail("a process was left behind")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--port", "x"], "invalid int value"),
        (["--port", "70000"], "cannot serve on port 70000"),
        (["--port=-1"], "cannot serve on port -1"),
        (["--memory", "1"], "--memory 1 is not between"),
        (["--timeout", "0"], "not a positive number of seconds"),
    ],
)
def test_wrong_options(words, message, capsys):
    try:
        code = main(["serve", *words])
    except SystemExit as exit:
        code = exit.code
    assert code == 2
    error = capsys.readouterr().err
    assert error.startswith("rlct: error: ")
    assert message in error
    assert error.count("\n") == 1


def test_the_guide_has_the_limits():
    text = (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8")
    limits = ServeLimits()
    assert f"ends after {limits.seconds:g} seconds" in text
    assert f"the engine gives its bounds after {limits.engine:g} of them" in text
    assert f"{limits.memory} MiB (`--memory`)" in text
    assert limits.questions == 2
    assert f"A request has {limits.request:g} seconds to arrive" in text
    assert "two are answered at a time, others wait for as long at most" in text
