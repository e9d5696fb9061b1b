"""Build the page of ``rlct serve`` as files: ``python static/build.py [FOLDER]``.

Any file server can serve the folder; it loads nothing from elsewhere.  It holds the page, rlct and
what it imports as wheels, and Pyodide, which is Python in a browser: from the registry of npm, or
a folder with one that was downloaded.  The release of Pyodide on its own site has numpy, too: with
it the engine works, without it theorems alone answer.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

from rlct.serve import page
from rlct.serve.in_browser import BROWSER_LIMITS
from rlct.serve.question import read_address

ROOT = Path(__file__).parents[1]
RELEASE = "pyodide@314.0.7"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
COMPILED = ("numpy", "scipy", "matplotlib")  # which a whole release of Pyodide has
SCRIPTS = ("browser.js", "worker.mjs")
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; worker-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'"
)


def main() -> None:
    """Read the command line and build."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "static")
    parser.add_argument("--pyodide", type=Path, help="folder of an unpacked release of Pyodide")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        runtime = options.pyodide or download(Path(scratch))
        build(options.folder, runtime)
    size = sum(path.stat().st_size for path in options.folder.rglob("*") if path.is_file())
    print(f"{options.folder}: {size / 1e6:.0f} MB; try python3 -m http.server -d {options.folder}")


def download(scratch: Path) -> Path:
    """Get the runtime from the registry of npm, which compares its checksum."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("static: npm is missing: install it, or give --pyodide FOLDER")
    command = [npm, "pack", "--loglevel=error", RELEASE]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"static: npm gave no {RELEASE}: {done.stderr.strip().partition(chr(10))[0]}")
    with tarfile.open(scratch / done.stdout.split()[-1]) as archive:
        archive.extractall(scratch, filter="data")
    return scratch / "package"


def build(folder: Path, runtime: Path) -> None:
    """Write all files of the page."""
    missing = [name for name in (*RUNTIME, LOCK) if not (runtime / name).is_file()]
    if missing:
        sys.exit(f"static: {runtime} is no release of Pyodide: it lacks {missing[0]}")
    if folder.exists() and not (folder / "pyodide").is_dir():
        sys.exit(f"static: {folder} is there and holds no such page: name a folder that is not")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "pyodide").mkdir(parents=True)
    packages, files = compiled(runtime)
    for name in (*RUNTIME, LOCK, *files):
        shutil.copy(runtime / name, folder / "pyodide")
    wheels = folder / "wheels"
    pip("--no-deps", str(ROOT), wheels=wheels)
    # The engine needs numpy, and only its proofs are shown as a graph.
    pure = ("sympy", "networkx") if "numpy" in packages else ("sympy",)  # sympy brings mpmath
    pip(*requirements(pure), wheels=wheels)
    listing = {"wheels": sorted(path.name for path in wheels.iterdir()), "packages": packages}
    (folder / "files.json").write_text(json.dumps(listing), encoding="utf-8")
    for path in (ROOT / "rlct" / "serve" / "static").iterdir():
        shutil.copy(path, folder)
    for name in SCRIPTS:
        shutil.copy(ROOT / "static" / name, folder)
    (folder / "index.html").write_text(front_page(), encoding="utf-8")


def compiled(runtime: Path) -> tuple[list[str], set[str]]:
    """Compiled packages that the release has, and their files with all that they need."""
    locked = json.loads((runtime / LOCK).read_text(encoding="utf-8"))["packages"]
    found, files = [], set[str]()
    for name in COMPILED:
        needed, todo = set[str](), [name]
        while todo:
            entry = locked[todo.pop()]
            if entry["file_name"] not in needed:
                needed.add(entry["file_name"])
                todo += entry["depends"]
        if all((runtime / file).is_file() for file in needed):
            found.append(name)
            files |= needed
    return found, files


def requirements(names: tuple[str, ...]) -> list[str]:
    """What rlct requires of these packages."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    required = tomllib.loads(text)["project"]["dependencies"]
    return [line for line in required if re.match(r"[\w-]+", line)[0] in names]


def pip(*requirements: str, wheels: Path) -> None:
    """Put wheels into a folder."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(wheels)]
    if subprocess.run([*command, *requirements]).returncode:
        sys.exit(f"static: pip gave no wheel of {', '.join(requirements)}")


def front_page() -> str:
    """The first page of the server, with what differs where there is none."""
    text = page.page(read_address(""), None, BROWSER_LIMITS)
    head = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n<title>'
    state = (
        '<p id="state" class="quiet" role="status">This page answers where JavaScript runs and '
        "its files are served, for instance by python3 -m http.server.</p>\n</header>"
    )
    about = (
        "<p>Your browser answers, by Python in it: no program runs elsewhere, and nothing is "
        "loaded from another site. The address is the question.</p>\n</footer>"
    )
    changes = {
        "<title>": head,
        'href="/icon.svg"': 'href="icon.svg"',
        'href="/style.css"': 'href="style.css"',
        'src="/page.js"': 'src="browser.js"',
        "</header>": state,
        r"<p>This page is served by a program.*?</p>\n</footer>": about,
    }
    for old, new in changes.items():
        text, count = re.subn(old, lambda _, new=new: new, text, flags=re.DOTALL)
        assert count == 1, old
    return text


if __name__ == "__main__":
    main()
