"""Names of variables: which are refused, and which may stand for a product."""

import re
from collections.abc import Set
from functools import lru_cache

from rlct.algebra.expression import SIZE_LIMITS
from rlct.errors import InputError

#: Letters of names, for a regular expression: Latin, and Greek ones unlike any Latin.
NAME_LETTERS = "A-Za-zα-ξπ-ωΓΔΘΛΞΠΣΦΨΩ_"

_RESERVED_NAMES = {
    "I": "the imaginary unit (K must be real)",
    "pi": "the number π (coefficients must be rational)",
    "E": "the number e (coefficients must be rational)",
    "oo": "infinity",
    "zoo": "infinity",
    "inf": "infinity",
    "nan": "not a number",
    "lambda": "a Python keyword",
}
_FUNCTION_NAME = re.compile(r"(sqrt|sin|cos|tan|sinh|cosh|tanh|exp|log|ln|abs)([0-9]*)\Z")
#: Greek letters by their names, those first that begin like another.
_GREEK_WORDS = (
    "alpha beta gamma delta epsilon eps zeta eta theta iota kappa lam mu nu xi omicron rho sigma "
    "tau upsilon phi chi psi omega varepsilon vartheta varphi varrho varsigma"
)
_GREEK_NAME = "|".join(sorted(f"{_GREEK_WORDS} {_GREEK_WORDS.title()}".split(), key=len)[::-1])
_INDEXED_LETTER = rf"[{NAME_LETTERS.rstrip('_')}](?:_?[0-9]+)*"
ONE_LETTER = re.compile(_INDEXED_LETTER)
_FACTOR_NAME = re.compile(rf"(?:{_GREEK_NAME})(?:_?[0-9]+)*|{_INDEXED_LETTER}")
_WHOLE_NAME = re.compile(rf"[{NAME_LETTERS}][{NAME_LETTERS}0-9]*\Z")
NAMES_RULE = "names have letters a-z and A-Z, Greek letters such as λ, digits and _"


def check_name(name: str) -> str:
    """Return a name that a variable may have, and refuse others with the reason."""
    if name in _RESERVED_NAMES:
        raise InputError(f"{name} means {_RESERVED_NAMES[name]}: rename the variable")
    if found := _FUNCTION_NAME.match(name):
        # Read as a variable it would be another question, and nobody would notice.
        number = f"{found[1]}({found[2]})" if found[2] else "a function"
        raise InputError(
            f"{name} looks like {number}, and a polynomial has rational coefficients and powers "
            "of variables only: rename it if it is a variable"
        )
    if len(name) > SIZE_LIMITS.name:
        raise InputError(
            f"a variable name has {len(name)} letters; the limit is {SIZE_LIMITS.name}"
        )
    if not _WHOLE_NAME.match(name):
        raise InputError(f"{name!r} is not a variable name: {NAMES_RULE}")
    return name


@lru_cache(maxsize=SIZE_LIMITS.variables)
def is_name(text: str) -> bool:
    """Whether a variable may be called so."""
    if text in _RESERVED_NAMES or _FUNCTION_NAME.match(text):
        return False
    return len(text) <= SIZE_LIMITS.name and bool(_WHOLE_NAME.match(text))


def implied_product(name: str, names: Set[str] = frozenset()) -> str:
    """The product that a name may stand for, empty where it can only be one name.

    One name is a letter or a Greek letter's name, with digits behind it, and what has an underscore
    elsewhere.  Where m and u occur among ``names``, mu may be m*u.

    >>> implied_product("ab"), implied_product("mux"), implied_product("mu", {"m", "u"})
    ('a*b', 'mu*x', 'm*u')
    >>> [implied_product(name) for name in ("mu", "x1", "w1_2", "w_in", "alpha_2", "sin")]
    ['', '', '', '', '', '']
    """
    letters = ONE_LETTER.findall(name)
    if len(letters) < 2 or "".join(letters) != name or not is_name(name):
        return ""
    if not _FACTOR_NAME.fullmatch(name):
        return "*".join(_FACTOR_NAME.findall(name))
    return "*".join(letters) if names >= set(letters) else ""
