"""The objects of a document: none has an entry that the checker does not look at."""

from collections.abc import Iterable, Mapping
from typing import Any

from rlct.certificate import cost
from rlct.errors import CertificateError

_PLAIN_TYPES = frozenset({str, int, float, bool, type(None)})  # most values; to ask them is quick


class Entries(dict[str, Any]):
    """An object that remembers which of its entries were read.

    >>> document = Document({"rule": "sum", "note": "trust me"})
    >>> document.root["rule"]
    'sum'
    >>> document.check_all_read()
    Traceback (most recent call last):
    ...
    rlct.errors.CertificateError: unknown evidence: nothing reads the entry 'note' of the document
    """

    __slots__ = ("keys_read", "label")

    def __init__(self, items: Iterable[tuple[str, Any]], label: str) -> None:
        super().__init__(items)
        self.label = label
        self.keys_read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.keys_read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Read an entry that may be left out; it is of the kind of its default."""
        self.keys_read.add(key)
        value = super().get(key, default)
        kind = (list, tuple) if isinstance(default, list) else type(default)
        if default is not None and not isinstance(value, kind):
            name = (
                "a list"
                if isinstance(default, list)
                else "an object"
                if default == {}
                else "a number"
            )
            raise CertificateError(f"the entry {key!r} of {self.label} is not {name}")
        return value

    def items(self) -> Any:
        """Read everything."""
        self.keys_read.update(self)
        return super().items()


class Document:
    """A copy of a document of the sizes that are accepted."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._objects: list[Entries] = []
        self.root: Entries = self._copied(data, "the document", cost.MOST_LEVELS)

    def _copied(self, value: Any, place_name: str, levels: int) -> Any:
        is_object = type(value) is dict or isinstance(value, Mapping)
        if not is_object and not isinstance(value, (list, tuple)):
            return value
        if not levels:
            raise CertificateError(f"the document is more than {cost.MOST_LEVELS} levels deep")
        if is_object:
            cost.charge(40 + 20 * len(value), "a document")
            items = [
                (k, v if type(v) in _PLAIN_TYPES else self._copied(v, str(k), levels - 1))
                for k, v in value.items()
            ]
            copied_object = Entries(items, place_name)
            self._objects.append(copied_object)
            return copied_object
        cost.charge(20 + 4 * len(value), "a document")
        copied = [
            v if type(v) in _PLAIN_TYPES else self._copied(v, place_name, levels - 1) for v in value
        ]
        return copied if isinstance(value, list) else tuple(copied)

    def check_all_read(self) -> None:
        """Refuse entries that no rule has read."""
        for item in self._objects:
            for key in item.keys() - item.keys_read:
                raise CertificateError(
                    f"unknown evidence: nothing reads the entry {str(key)[:40]!r} of {item.label}"
                )


def without_duplicates(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of JSON text, where a name may stand for one value only."""
    entries = dict(items)
    if len(entries) < len(items):
        last = {name: k for k, (name, _) in enumerate(items)}
        twice = next(name for k, (name, _) in enumerate(items) if last[name] != k)
        raise CertificateError(f"an object has two entries {twice[:40]!r}")
    return entries
