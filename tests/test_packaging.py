"""What the package promises to those who install it."""

import ast
import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import rlct

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
MODULES = sorted((ROOT / "rlct").rglob("*.py"))
CODE = MODULES + [
    path
    for name in ("audit", "framework")
    for path in sorted((ROOT / "validation" / name).rglob("*.py"))
]
OWN = {".py", ".md", ".toml", ".cff", ".yml", ".yaml", ".js", ".mjs", ""}


METADATA = runpy.run_path(str(ROOT / "recipe" / "metadata.py"))
HERO = ROOT / "docs" / "pictures" / "hero.png"
ADDRESS = PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["custom"]["address"]


def script(code):
    """Run Python in a new process with warnings as errors; return what it prints."""
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_one_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "version" in PROJECT["dynamic"], "written once, in rlct/__init__.py"
    assert re.search(r"^version: (\S+)$", citation, re.MULTILINE)[1] == rlct.__version__
    heads = re.findall(r"^## \[(\S+)\]", changes, re.MULTILINE)
    assert next(head for head in heads if head != "Unreleased") == rlct.__version__
    (released,) = re.findall(r"^date-released: (\S+)$", citation, re.MULTILINE)
    assert f"## [{rlct.__version__}] - {released}\n" in changes


def test_changes_are_what_a_user_sees():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    _, *versions = re.split(r"^## ", changes, flags=re.MULTILINE)
    assert all(version.count("\n") <= 100 for version in versions)
    # What is not released stands above what is, under the one head that it has.
    assert "unreleased" not in changes.removeprefix(changes[: changes.index(versions[1])]).lower()


def test_metadata_names_authors_and_places():
    assert PROJECT["authors"] == [{"name": "The rlct authors"}]
    urls = METADATA["project_urls"](ADDRESS)
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} == set(urls)
    assert {"readme", "urls"} <= set(PROJECT["dynamic"])
    urls = METADATA["project_urls"]("https://github.com/someone/rlct")
    assert urls["Documentation"] == "https://someone.github.io/rlct/"
    assert urls["Issues"] == "https://github.com/someone/rlct/issues"


def test_links_of_the_front_page_resolve_where_packages_are_listed():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    address = "https://github.com/someone/rlct"
    shown = METADATA["absolute_links"](readme, address)
    targets = re.findall(r"\]\(([^)]*)\)", shown)
    assert len(targets) == len(re.findall(r"\]\(([^)]*)\)", readme)) > 20
    assert all(re.match(r"https?:|#", target) for target in targets)
    assert f"]({address}/raw/main/docs/pictures/hero.png)" in shown
    for target in targets:
        name = target.removeprefix(f"{address}/").partition("/main/")[2].partition("#")[0]
        assert not target.startswith(address) or (ROOT / name).exists(), target
    plain = "[a](#here) [b](https://example.com/x) `x](y` [c](d.md#e)"
    assert METADATA["absolute_links"](plain, "A") == plain.replace("d.md", "A/blob/main/d.md")


def test_steps_of_workflows_are_commands_that_there_are():
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    flows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    assert [flow.stem for flow in flows] == ["publish", "site", "tests"]
    for flow in flows:
        steps = re.findall(r"- run: (.*)", flow.read_text(encoding="utf-8"))
        made = [step.split()[1] for step in steps if step.startswith("make ")]
        assert set(made) <= set(targets)
        assert made or ".ci/run" in steps


def test_the_picture_of_the_front_page_is_small():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (picture,) = re.findall(r"^!\[[^\]]+\]\((\S+)\)$", readme, re.MULTILINE)
    assert 0 < (ROOT / picture).stat().st_size < 300_000


def test_citation_has_what_the_format_requires():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    keys = re.findall(r"^([a-z-]+):", citation, re.MULTILINE)
    assert {"cff-version", "message", "title", "authors", "abstract", "license"} <= set(keys)
    assert len(keys) == len(set(keys))
    assert '- name: "The rlct authors"' in citation


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["theorem", "list"]])
def test_quick_commands_load_no_large_library(arguments):
    code = f"""
import contextlib, io, sys
from rlct.cli.main import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main({arguments})
print(*(m for m in ("sympy", "scipy", "numpy", "networkx", "torch", "validation")
    if m in sys.modules))
"""
    assert script(code) == []


def test_import_loads_no_large_library():
    large = ("sympy", "scipy", "numpy", "networkx", "arviz_stats", "torch", "matplotlib")
    assert script(f"import sys, rlct; print(*(m for m in {large} if m in sys.modules))") == []


def test_version_is_printed():
    done = [sys.executable, "-m", "rlct", "--version"]
    text = subprocess.run(done, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert text == f"rlct {rlct.__version__}\n"


def imported(path):
    """Top-level names of everything that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module.partition(".")[0]


@pytest.mark.slow
def test_two_commands_alone_import_what_the_wheel_lacks():
    found = {path.name for path in MODULES if "validation" in imported(path)}
    assert found == {"audit.py", "validate.py"}


def distributions(requirements):
    """Names that installed requirements are imported by."""
    names = {re.match(r"[\w.-]+", text)[0] for text in requirements}
    found = {name.removeprefix("python-").replace("-", "_") for name in names}
    if "matplotlib" in found:
        found.add("mpl_toolkits")  # of the same distribution
    return {"sklearn" if name == "scikit_learn" else name for name in found}


def test_dependencies_are_what_is_imported():
    found = {name for path in MODULES for name in imported(path)}
    foreign = found - sys.stdlib_module_names - {"rlct", "validation"}
    core = distributions(PROJECT["dependencies"])
    extras = PROJECT["optional-dependencies"]
    named = ("fast", "torch", "plot", "arviz", "completion", "dask", "nuts", "parquet", "select")
    optional = distributions(r for name in named for r in extras[name])
    assert core <= foreign, "a dependency that nothing imports"
    assert foreign <= core | optional, "an import that is not declared"


def test_every_requirement_has_a_lower_bound():
    extras = PROJECT["optional-dependencies"]
    for requirement in [*PROJECT["dependencies"], *(r for e in extras.values() for r in e)]:
        assert re.fullmatch(r"[\w.-]+(\[\w+\])?>=[\d.]+", requirement), requirement


def test_the_conda_recipe_requires_the_same():
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    assert f'  version: "{rlct.__version__}"\n' in recipe
    host, run = re.search(r"host:\n(.*?)  run:\n(.*?)\n\n", recipe, re.DOTALL).groups()
    python = f"python{PROJECT['requires-python']}"
    listed = [line.removeprefix("    - ").replace(" ", "") for line in run.splitlines()]
    assert listed == [python, *PROJECT["dependencies"]]
    building = [line.removeprefix("    - ").replace(" ", "") for line in host.splitlines()]
    assert building == [python, "pip", *PYPROJECT["build-system"]["requires"]]
    (script,) = PROJECT["scripts"].items()
    assert f"- {script[0]} = {script[1]}\n" in recipe
    assert "url: https://pypi.org/packages/source/r/rlct/rlct-${{ version }}.tar.gz\n" in recipe
    assert f"summary: {PROJECT['description']}\n" in recipe
    assert f"homepage: {ADDRESS}\n" in recipe


def test_addresses_are_the_same_everywhere():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    places = dict(re.findall(r'^(url|repository-code): "(.*)"$', citation, re.MULTILINE))
    assert places == {"url": ADDRESS, "repository-code": ADDRESS}
    assert not ADDRESS.endswith("/")


def test_the_archive_describes_the_same():
    archive = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'title: "{archive["title"]}"\n' in citation
    assert [{"name": creator["name"]} for creator in archive["creators"]] == PROJECT["authors"]
    assert archive["license"] == PROJECT["license"]
    assert set(archive["keywords"]) <= set(PROJECT["keywords"])


def test_the_paper_cites_what_its_list_has():
    paper = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    entries, known = (
        dict(re.findall(r"^(@\w+\{([\w-]+),\n.*?^\})$", path.read_text("utf-8"), re.M | re.S))
        for path in (ROOT / "paper" / "paper.bib", ROOT / "theory" / "references.bib")
    )
    listed = {key: entry for entry, key in entries.items()}
    assert set(re.findall(r"@(\w+)[\];,]", paper)) == set(listed)
    plain = {re.sub(r",\n  doi = .*", "", e) for e, k in entries.items() if k[-4:].isdecimal()}
    assert plain <= set(known)
    assert sum("  doi = {10." in entry for entry in entries) >= 6
    assert 750 <= len(paper.split("---\n", 2)[2].split()) <= 1750  # as the journal wants
    for picture in re.findall(r"^!\[.*\]\((.*)\)$", paper, re.MULTILINE):
        assert (ROOT / "paper" / picture).read_bytes() == HERO.read_bytes()  # within its folder
    heads = re.findall(r"^# (.*)$", paper, re.MULTILINE)
    assert heads == [
        *("Summary", "Statement of need", "State of the field", "Software design"),
        *("Research impact statement", "AI usage disclosure", "References"),
    ]
    coverage = (ROOT / "validation" / "coverage" / "README.md").read_text(encoding="utf-8")
    for numbers in re.findall(r"\d+ of \d+ runs|\d+ of \d+ planted", paper):
        assert numbers.rpartition(" ")[0] in coverage


def test_hooks_are_the_commands_of_the_readme():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    entries = [e.replace(" --force-exclude", "") for e in re.findall(r"entry: (.*)", hooks)]
    assert entries == [
        line.removesuffix(" .")
        for line in re.findall(r"^\.venv/bin/((?:ruff|mypy).*)$", readme, re.MULTILINE)
    ]
    assert "http" not in hooks  # the tools are those of the environment


def test_a_wrong_answer_is_the_first_form():
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert "name: A wrong answer\n" in forms[0].read_text(encoding="utf-8")


def test_typed():
    assert (ROOT / "rlct" / "py.typed").exists()


@pytest.mark.parametrize("path", CODE, ids=lambda path: str(path.relative_to(ROOT)))
def test_module(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < 400, "split it"
    assert '"""' in text.partition("\n")[0], "say in the first line what the file is"


WRITTEN = (
    *("docs", "paper", "recipe", "rlct", "static", "tests", "theory", "validation"),
    *(".ci", ".github"),
)

# Notes to oneself, and paths of somebody's machine.
FORBIDDEN = (
    r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b",
    r"(?<![\w.])/(?:home|Users|root|mnt|opt|srv|work)/\w",
    r"file://",
)


def written():
    """Every text file of the project, generated folders aside."""
    for folder in WRITTEN:
        yield from (p for p in (ROOT / folder).rglob("*") if p.is_file() and p.suffix in OWN)
    yield from (p for p in ROOT.iterdir() if p.suffix in OWN and p.name[0] != "." and p.is_file())


def test_no_forbidden_words():
    for path in written():
        if path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for pattern in FORBIDDEN:
                found = re.search(pattern, line)
                assert not found, f"{path.relative_to(ROOT)}:{number}: {found[0]}"


def test_no_hedging_in_the_program():
    for path in CODE:
        found = re.search(r"\b(?:probably|presumably|hopefully)\b", path.read_text("utf-8"), re.I)
        assert not found, f"{path.relative_to(ROOT)}: {found[0]}"


def test_user_text_is_never_executed():
    builtin, anywhere = {"eval", "exec", "compile", "__import__"}, {"sympify", "parse_expr"}
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", None)
                called = name or getattr(node.func, "attr", None)
                is_constant = all(isinstance(argument, ast.Constant) for argument in node.args)
                assert name not in builtin or is_constant, f"{path}:{node.lineno}: {name}"
                assert called not in anywhere, f"{path}:{node.lineno}: {called}"
