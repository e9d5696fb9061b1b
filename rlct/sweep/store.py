"""Answers in an SQLite file: each is written when it is there, under a key of its question."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import rlct
from rlct.errors import InputError

SCHEMA_VERSION: Final = 2  # version of the tables
_MOST_BYTES: Final = 2**28  # bytes of a certificate
_CREATE_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE answers (
  id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, question TEXT NOT NULL, version TEXT NOT NULL,
  status TEXT NOT NULL, lambda TEXT, theta INTEGER, lower TEXT, upper TEXT, method TEXT,
  message TEXT, seconds REAL, timeout REAL, document TEXT, certificate BLOB,
  digest BLOB NOT NULL);
CREATE TABLE sweeps (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, questions INTEGER);
CREATE TABLE points (
  sweep INTEGER NOT NULL, number INTEGER NOT NULL, answer INTEGER NOT NULL REFERENCES answers,
  seal BLOB NOT NULL, PRIMARY KEY (sweep, number)) WITHOUT ROWID;
CREATE INDEX answers_by_status ON answers (status) WHERE status = 'failed';
"""
_ANSWER_COLUMNS = (
    "status, lambda, theta, lower, upper, method, message, seconds, timeout, document, certificate"
)
_WRITTEN_COLUMNS = f"key, question, {_ANSWER_COLUMNS}"
# An answer that settles its question stays; bounds and failures make room for something better.
_PUT_ANSWER = f"""INSERT INTO answers (version, {_WRITTEN_COLUMNS}, digest)
VALUES ({", ".join("?" * 15)}) ON CONFLICT (key) DO UPDATE SET
{", ".join(f"{name} = excluded.{name}" for name in f"{_ANSWER_COLUMNS}, digest".split(", "))}
WHERE answers.status IN ('bounds', 'failed')"""
_OF_SWEEP = "FROM points JOIN answers ON answers.id = answer WHERE sweep = ?"
_LINK_POINT = "INSERT OR REPLACE INTO points SELECT ?, ?, id, ? FROM answers WHERE key = ?"


def key_of(question: str) -> bytes:
    """Return the key of a question in canonical form, for this version of the program."""
    return hashlib.sha256(f"{SCHEMA_VERSION} {rlct.__version__} {question}".encode()).digest()[:16]


def digest_of(written: Sequence[Any]) -> bytes:
    """Return what tells whether key, question and columns of a row are as they were written."""
    # A whole number comes back from a column of reals as a real.
    values = [float(value) if isinstance(value, int) else value for value in written]
    return hashlib.sha256(repr(values).encode()).digest()[:16]


def store_error(path: Path | str, error: sqlite3.Error) -> InputError:
    """Say in one line what is the matter with a file of answers."""
    reasons = {
        sqlite3.SQLITE_CORRUPT: "it is damaged: choose a new file",
        sqlite3.SQLITE_NOTADB: "it is no database, or damaged: choose a new file",
    }
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return InputError(f"cannot use {path} as a store of answers: {reasons.get(code, error)}")


class DamagedError(ValueError):
    """What is stored of an answer cannot be read, or is not what was written."""


@dataclass(frozen=True)
class StoredAnswer:
    """What is stored of one answer."""

    #: ``exact``, ``bounds``, ``estimate``, ``agrees``, ``refuted``, ``inconclusive``; ``refused``
    #: if the question cannot be asked, ``failed`` if the program broke.
    status: str
    #: As printed: fractions of exact answers, decimals of estimates.
    lam: str | None = None
    theta: int | None = None
    lower: str | None = None
    upper: str | None = None
    #: How it was found; why it was refused or failed.
    method: str | None = None
    message: str | None = None
    seconds: float | None = None
    #: The limit it was computed under; None: no limit.
    timeout: float | None = None
    #: The answer as ``--json`` prints it.
    document: Mapping[str, Any] | None = None
    certificate: Mapping[str, Any] | None = None

    def settles(self, timeout: float | None) -> bool:
        """Whether asking again, with this time limit, could not give more."""
        if self.status == "bounds" and self.timeout is not None:
            return timeout is not None and timeout <= self.timeout
        return self.status != "failed"

    def row(self) -> tuple[Any, ...]:
        """Return the columns as they are stored."""
        short = (self.status, self.lam, self.theta, self.lower, self.upper, self.method)
        return (
            *short,
            self.message,
            self.seconds,
            self.timeout,
            None if self.document is None else json.dumps(self.document, ensure_ascii=False),
            None
            if self.certificate is None
            else zlib.compress(json.dumps(self.certificate, ensure_ascii=False).encode()),
        )


class Store:
    """An SQLite file of answers.

    It is made if it does not exist, unless ``read_only`` asks that nothing is written: then it must
    be there, on a read-only medium perhaps.  The attribute is true as well where the place forbids
    writing.  InputError if it cannot be opened, is damaged or no store, or is one of another
    schema.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        if read_only and not path.is_file():
            raise InputError(f"there is no {path}: run 'rlct sweep FILE.toml' first")
        self.path = path
        self.read_only = read_only
        try:
            try:
                self._open()
            except sqlite3.OperationalError as error:
                code = error.sqlite_errorcode & 0xFF
                if code not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                    raise
                if not path.is_file() or _has_log(path):
                    raise
                self.read_only = True
                self._open("&immutable=1")  # needs no file beside it
        except sqlite3.Error as error:
            raise store_error(path, error) from None

    def _open(self, uri_options: str = "") -> None:
        # The last who closes a file that can be written removes the log beside it.
        mode = "rw" if self.read_only else "rwc"
        address = f"{self.path.absolute().as_uri()}?mode={mode}{uri_options}"
        # Autocommit: transactions are begun and ended by name here.
        self._db = sqlite3.connect(address, timeout=60, isolation_level=None, uri=True)
        self._db.text_factory = lambda text: text.decode("utf-8", "replace")
        try:
            if self.read_only:
                self._db.execute("PRAGMA query_only = ON")
            else:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
                self._db.execute("BEGIN IMMEDIATE")
                if not self._tables():
                    for statement in _CREATE_TABLES.split(";\n"):
                        self._db.execute(statement)
                    self._db.execute("INSERT INTO meta VALUES ('rlct-store', ?)", (SCHEMA_VERSION,))
                    self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                self._db.execute("COMMIT")
            self._check()
            if not self.read_only:
                self._db.execute("DELETE FROM meta WHERE 0")  # BEGIN does not try to write
        except BaseException:
            self.close()
            raise

    def _tables(self) -> set[str]:
        return {name for (name,) in self._db.execute("SELECT name FROM sqlite_master")}

    def _check(self) -> None:
        """Refuse what is no store of this version."""
        if "meta" not in self._tables():
            raise InputError(f"{self.path} is a database of something else")
        query = "SELECT value FROM meta WHERE name = 'rlct-store'"
        named = self._db.execute(query).fetchone() or (None,)
        # In the head of the file, too: one flipped byte does not make another version.
        versions = (*named, *self._db.execute("PRAGMA user_version").fetchone())
        if versions == (SCHEMA_VERSION, SCHEMA_VERSION):
            return
        if versions[0] == versions[1] or versions == (1, 0):
            raise InputError(f"{self.path} was written by another version: choose a new file")
        raise InputError(f"{self.path} is damaged: choose a new file")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def find(self, key: bytes) -> StoredAnswer | None:
        """Return the answer to a question, if it is there.

        DamagedError if it cannot be read, or was changed: `doubt` makes room for another.
        """
        query = f"SELECT digest, {_WRITTEN_COLUMNS} FROM answers WHERE key = ?"
        row = self._db.execute(query, (key,)).fetchone()
        if row is None:
            return None
        digest, *written = row
        if digest != digest_of(written):
            raise DamagedError("the stored answer was changed after it was written")
        _, _, *columns, document, proof = written
        decoded = (_decoded(document), None if proof is None else _decoded(_unpacked(proof)))
        names = (item.name for item in fields(StoredAnswer))
        return StoredAnswer(**dict(zip(names, (*columns, *decoded), strict=True)))

    def put(self, key: bytes, question: str, answer: StoredAnswer) -> None:
        """Write one answer, at once."""
        self._db.execute(_PUT_ANSWER, _sealed(key, question, answer.row()))

    def doubt(self, key: bytes) -> None:
        """Make room for another answer to a question."""
        whose = "(SELECT id FROM answers WHERE key = ?)"
        self._db.execute(f"DELETE FROM points WHERE answer = {whose}", (key,))
        self._db.execute("DELETE FROM answers WHERE key = ?", (key,))

    def sweep(self, identity: str, questions: int) -> int:
        """Return the number of a sweep, which is entered if it is new."""
        self._db.execute(
            "INSERT OR IGNORE INTO sweeps (identity, questions) VALUES (?, ?)",
            (identity, questions),
        )
        found = self.find_sweep(identity)
        assert found is not None
        return found

    def find_sweep(self, identity: str) -> int | None:
        """Return the number of a sweep, if it was begun."""
        row = self._db.execute("SELECT id FROM sweeps WHERE identity = ?", (identity,)).fetchone()
        return None if row is None else int(row[0])

    def record(self, sweep: int, rows: Iterable[tuple[int, bytes, str, tuple[Any, ...]]]) -> None:
        """Write answers and the questions of a sweep that they answer, all or nothing.

        ``rows`` are (number, key, question, columns), with columns as from `Answer.row`.
        """
        rows = list(rows)
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany(
                _PUT_ANSWER, (_sealed(key, text, columns) for _, key, text, columns in rows)
            )
            self._db.executemany(_LINK_POINT, (_link(sweep, n, key) for n, key, *_ in rows))
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def link(self, sweep: int, number: int, key: bytes) -> None:
        """Note that a question of a sweep has an answer that was there already."""
        self._db.execute(_LINK_POINT, _link(sweep, number, key))

    def done(self, sweep: int, questions: int) -> bytearray:
        """Return one byte per question: 1 where nothing is left to do."""
        finished = bytearray(questions)
        query = f"SELECT number {_OF_SWEEP} AND status <> 'failed'"
        for (number,) in self._db.execute(query, (sweep,)):
            finished[number] = 1
        return finished

    def changed(self, sweep: int) -> Iterator[tuple[int, bytes]]:
        """Yield number and key of answers that are not as they were written, in order.

        Those of another question, too.
        """
        query = f"SELECT number, seal, digest, {_WRITTEN_COLUMNS} {_OF_SWEEP} ORDER BY number"
        for number, seal, digest, *written in self._db.execute(query, (sweep,)):
            key = written[0]
            if digest != digest_of(written) or seal != digest_of((sweep, number, key)):
                yield number, key

    def counts(self, sweep: int) -> Counter[str]:
        """Count the answers of a sweep by status."""
        query = f"SELECT status, count(*) {_OF_SWEEP} GROUP BY status"
        return Counter(dict(self._db.execute(query, (sweep,))))

    def first_message(self, sweep: int, status: str) -> Any:
        """Return why the first question of a status was refused or failed."""
        query = f"SELECT message {_OF_SWEEP} AND status = ? ORDER BY number LIMIT 1"
        row = self._db.execute(query, (sweep, status)).fetchone()
        return None if row is None else row[0]

    def rows(self, sweep: int) -> Iterator[tuple[Any, ...]]:
        """Yield number, status, λ, θ, lower, upper, method, assumptions, seconds and message."""
        query = (
            "SELECT number, status, lambda, theta, lower, upper, method, "
            "CASE WHEN json_valid(document) AND json_type(document, '$.assumptions') = 'array' "
            "THEN json_extract(document, '$.assumptions') END, "
            f"seconds, message {_OF_SWEEP} ORDER BY number"
        )
        return iter(self._db.execute(query, (sweep,)))


def _link(sweep: int, number: int, key: bytes) -> tuple[Any, ...]:
    """What `_LINK_POINT` takes."""
    return sweep, number, digest_of((sweep, number, key)), key


def _has_log(path: Path) -> bool:
    """Whether answers wait beside a store that was not closed, which an immutable file hides."""
    log = path.with_name(f"{path.name}-wal")
    return log.is_file() and log.stat().st_size > 0


def _sealed(key: bytes, question: str, columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a row as `_PUT_ANSWER` takes it."""
    written = (key, question, *columns)
    return (rlct.__version__, *written, digest_of(written))


def _unpacked(packed: bytes) -> bytes:
    try:
        stream = zlib.decompressobj()
        text = stream.decompress(packed, _MOST_BYTES)
    except (zlib.error, TypeError) as error:
        raise DamagedError(f"the stored answer is damaged: {error}") from None
    if not stream.eof:
        raise DamagedError("the stored answer is damaged: it has no end")
    return text


def _decoded(text: str | bytes | None) -> dict[str, Any] | None:
    try:
        content = None if text is None else json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedError(f"the stored answer is damaged: {error}") from None
    if not isinstance(content, dict | None):
        raise DamagedError("the stored answer is damaged: it is no object")
    return content
