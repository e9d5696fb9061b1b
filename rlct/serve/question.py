"""A question as the address of the page: read, written, and as a command."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, urlencode

from rlct.errors import InputError
from rlct.serve.forms import FormField, QuestionForm, get_form

LONGEST_ADDRESS: Final = 20_000  # characters
_MOST_FIELDS: Final = 40  # of one question
_INTEGER_PATTERN: Final = re.compile(r"[+-]?[0-9]{1,18}")
_ITEM_GAP: Final = re.compile(r"[\s,;]+")
_PLUS_GAP: Final = re.compile(r"(?<=[\w)]) +(?=[\w(])")
_FORMULA_NAMES: Final = ("K", "generators", "at", "prior")


@dataclass(frozen=True)
class PageQuestion:
    """A form that was filled in."""

    form: QuestionForm
    #: Text by the name of the field; fields left empty are left out, flags are ``"on"``.
    values: dict[str, str]
    #: Whether the answer is to be guessed first; it is no part of the question.
    quiz: bool = False
    #: Text of the guess, by ``"lambda"`` and ``"theta"``; empty if there is none.
    guess: dict[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> bool:
        """Whether anything was filled in."""
        return bool(self.values)

    @property
    def query(self) -> str:
        """The query string of its address."""
        return urlencode({"kind": self.form.id, **self.values})

    @property
    def title(self) -> str:
        """A few words for a window's title."""
        shown = [v for k, v in self.values.items() if self.form.field(k)][:1]
        if shown and not shown[0].strip("0123456789"):  # a number alone does not say of what
            shown = [self.form.title, *self.values.values()]
        text = " ".join(visible_text(" ".join(shown)).split())
        return f"{text[:60]}…" if len(text) > 60 else text

    def with_plus(self) -> PageQuestion | None:
        """The same with plus signs where formulas have gaps, which no formula has; None if none.

        A plus sign that is typed into an address stands for a space there.

        >>> read_address("K=x^2+y^2").with_plus().values, read_address("K=x^2%2By^2").with_plus()
        ({'K': 'x^2 + y^2'}, None)
        """
        values = {
            name: _PLUS_GAP.sub(" + ", text) if name in _FORMULA_NAMES else text
            for name, text in self.values.items()
        }
        return None if values == self.values else PageQuestion(self.form, values)

    def missing(self) -> list[FormField]:
        """Required fields that were left empty."""
        return [f for f in self.form.fields if f.required and f.name not in self.values]

    def command(self) -> str:
        """The same question as a line for a shell."""
        words = ["rlct", *self.form.words]
        shell_prefix, last_words, files = "", [], []
        for name, text in self.values.items():
            field = self.form.field(name)
            assert field is not None  # `read_address` refused all others
            option = "--" + name.replace("_", "-")
            if field.kind == "flag":
                words.append(option)
            elif self.form.id == "poly" and name == "K":
                last_words = [text]
            elif field.kind == "lines":
                last_words = lines(text)
            elif self.form.id == "linear" and name == "widths":
                words += [w for w in _ITEM_GAP.split(text) if w]
            elif field.kind == "json" and not text.startswith("modular"):
                # The command reads files; what was typed goes there by the shell.
                flat = shlex.quote(" ".join(text.split()))
                if shell_prefix:
                    files.append(f"echo {flat} > {name}.json")
                    words += [option, f"{name}.json"]
                else:
                    shell_prefix = f"echo {flat} | "
                    words += [option, "-"]
            else:
                words.append(f"{option}={text}" if text.startswith("-") else option)
                words += [] if text.startswith("-") else [text]
        if last_words:
            words += (
                ["--", *last_words] if any(t.startswith("-") for t in last_words) else last_words
            )
        return "\n".join([*files, shell_prefix + shlex.join(words)])


def integer(name: str, text: str) -> int:
    """Read an integer of a form."""
    if not _INTEGER_PATTERN.fullmatch(text):
        raise InputError(f"{name} must be an integer, not {text[:40]!r}")
    return int(text)


def integers(name: str, text: str) -> list[int]:
    """Read integers between blanks or commas."""
    return [integer(name, item) for item in _ITEM_GAP.split(text) if item]


def lines(text: str) -> list[str]:
    """Read one item a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def visible_text(text: str) -> str:
    """Make visible what would change how other text is read: controls, bidirectional marks."""
    return "".join(
        c if c.isprintable() or c in "\n\t" else f"\\u{ord(c):04x}"
        for c in text.replace("\r\n", "\n")
    )


def read_address(query: str) -> PageQuestion:
    """Read the query string of an address.

    ``query`` is what comes after the ``?``; empty for the first page.  InputError if it is no
    question of this page: too long, not UTF-8, an unknown kind or field.

    >>> read_address("kind=poly&K=x**2*y**4").command()
    "rlct poly 'x**2*y**4'"
    >>> read_address("kind=linear&widths=5+3+5&rank=1&bias=on").command()
    'rlct net linear 5 3 5 --rank 1 --bias'
    """
    if len(query) > LONGEST_ADDRESS:
        raise InputError(
            f"the address has {len(query)} characters; the limit is {LONGEST_ADDRESS}: "
            "ask on the command line"
        )
    try:
        typed_pairs = parse_qsl(
            query,
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:  # also UnicodeDecodeError
        raise InputError("the address is not one of this page: its query cannot be read") from None
    typed_values: dict[str, str] = {}
    for name, text in typed_pairs:
        if name in typed_values:
            raise InputError(f"the address gives {name[:40]!r} twice")
        typed_values[name] = text.strip()
    kind = typed_values.pop("kind", "poly")
    is_quiz = typed_values.pop("quiz", "") == "on"
    guess_texts = {key: typed_values.pop(f"guess_{key}", "") for key in ("lambda", "theta")}
    question_form = get_form(kind)
    if question_form is None:
        raise InputError(f"there is no kind of question {kind[:40]!r}")
    for name in typed_values:
        if question_form.field(name) is None:
            raise InputError(f"{question_form.title.lower()}: there is no field {name[:40]!r}")
    # In the order of the form, so that one question has one address.
    values = {
        f.name: typed_values[f.name] for f in question_form.fields if typed_values.get(f.name)
    }
    for name, text in values.items():
        field = question_form.field(name)
        if field is not None and field.kind == "flag" and text != "on":
            raise InputError(f"{name} can only be on, not {text[:40]!r}")
    guess = {key: text for key, text in guess_texts.items() if text}
    return PageQuestion(question_form, values, is_quiz, guess)
