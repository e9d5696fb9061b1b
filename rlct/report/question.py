"""The question of a certificate in words, so that it is not taken for another's."""

from collections.abc import Mapping, Sequence
from typing import Any

_LONGEST_POLYNOMIALS = 200  # characters of the polynomials


def in_words(question: Mapping[str, Any]) -> str:
    """Describe the question of a certificate that has been verified.

    >>> import rlct
    >>> in_words(rlct.poly("(x**2-y**3)**2", prior="x").certificate["question"])
    'K = x^4 - 2*x^2*y^3 + y^6, at x = 0, y = 0, prior |x|^1'
    """
    if question["kind"] == "linear-network":
        widths = " ".join(map(str, question["widths"]))
        bias = " with biases" if question["bias"] else ""
        return f"the linear network {widths} of rank {question['rank']}{bias}"
    if question["kind"] == "quadratic-network":
        return _quadratic(question)
    if question["kind"] == "factor-analysis":
        sizes = f"{question['variables']} variables and {question['factors']} factors"
        return f"factor analysis of {sizes}, {question['true_factors']} generic ones in the truth"
    if question["kind"] == "latent-class":
        features = ", ".join(map(str, question["categories"]))
        classes = f"{question['classes']} latent classes, {question['true']} generic ones true"
        return f"{classes}, features of {features} categories"
    if question["kind"] == "walls":
        asked = question["question"]
        names, width = asked["variables"], len(asked["variables"])
        # Highest first: the constant, then the variables in their order.
        units = [[int(i == k) for k in range(width)] for i in [*reversed(range(width)), width]]
        rows = ([*reversed(row[:-1]), row[-1]] for row in question["walls"])
        terms = ([t for t in zip(row, units, strict=True) if t[0] != "0"] for row in rows)
        inequalities = (f"{_polynomial(each, names)} >= 0" for each in terms)
        return ", ".join([in_words(asked), *inequalities])
    names = question["variables"]
    number = _unused("g", names)
    texts = [_polynomial(g, names, number) for g in question["generators"]]
    ideal = question["kind"] == "ideal" or question.get("ideal", False)
    text = f"the ideal ({', '.join(texts)})" if ideal else f"K = {texts[0]}"
    if len(text) > _LONGEST_POLYNOMIALS:
        text = text[:_LONGEST_POLYNOMIALS] + "…"
    if question["kind"] == "box":
        sides = zip(names, question["sides"], strict=True)
        place_text = "over " + ", ".join(f"{low} <= {n} <= {high}" for n, (low, high) in sides)
    else:
        point = zip(names, question["point"], strict=True)
        place_text = "at " + ", ".join(f"{n} = {_coordinate(a, number)}" for n, a in point)
        if "field" in question:
            low, high = question["field"]["interval"]
            minimal = [[str(c), [k]] for k, c in enumerate(question["field"]["minimal"]) if c]
            place_text += f" with {number} = root({_polynomial(minimal, ['t'])}, {low}..{high})"
    powers = zip(names, question["prior"], strict=True)
    prior = "*".join(f"|{n}|^{h}" for n, h in powers if h != "0")
    walls = zip(names, question.get("nonneg", []), strict=False)
    parts = [text, place_text, *([f"prior {prior}"] if prior else [])]
    return ", ".join([*parts, *(f"{n} >= 0" for n, wall in walls if wall)])


def subject_of(question: Any) -> str:
    """What λ is of: K itself, or the K of generators; empty for models.

    >>> from rlct.questions.problem import Problem
    >>> subject_of(Problem.poly("x**2")), subject_of(Problem.ideal(["x"]))
    ('K', 'K = f²')
    >>> subject_of(Problem.ideal(["x", "y"])), subject_of(None)
    ('K = Σ f²', '')
    """
    is_ideal = getattr(question, "is_ideal", None)
    if is_ideal:
        return square_subject(len(question.generators))
    return "" if is_ideal is None else "K"


def square_subject(count: int) -> str:
    """Write K of so many generators f.

    >>> square_subject(1), square_subject(2)
    ('K = f²', 'K = Σ f²')
    """
    return "K = f²" if count == 1 else "K = Σ f²"


def with_subject(figure: Any, question: Any) -> Any:
    """Say above a picture about generators, and in its description, which K it is about."""
    subject = subject_of(getattr(question, "question", question))
    if "=" in subject:
        figure.suptitle(f"{figure.get_suptitle()}  for {subject}".strip(), fontsize=11)
        figure.set_label(f"{figure.get_label()} for {subject}")
    return figure


def _quadratic(question: Mapping[str, Any]) -> str:
    data = question["data"]
    seen = (
        "with a density" if data is None else f"at {len(data)} points" if type(data) is list else ""
    )
    inputs = seen or f"that are the pairs modulo {data}"
    extras = " with biases" * question["bias"] + ", centred outputs" * question["centred"]
    return (
        f"the quadratic network of {question['inputs']} inputs {inputs}, {question['units']} units "
        f"and {question['outputs']} outputs{extras}, at a generic parameter"
    )


def _unused(name: str, names: Sequence[str]) -> str:
    """A name that no variable has."""
    return name if name not in names else _unused(name + "_", names)


def _coordinate(data: Any, name: str) -> str:
    """A rational, or a polynomial in the generator of the field."""
    if isinstance(data, str):
        return data
    terms = [[c, [k]] for k, c in enumerate(data) if c != "0"]
    return _polynomial(terms, [name]) if terms else "0"


def _polynomial(terms: Sequence[Any], names: Sequence[str], number: str = "") -> str:
    """Highest exponents first; coefficients may be polynomials in the generator of the field."""
    texts = []
    for coefficient, exponents in reversed(terms):
        if not isinstance(coefficient, str):
            irrational = any(c != "0" for c in coefficient[1:])
            coefficient = _coordinate(coefficient, number)
            coefficient = f"({coefficient})" if irrational else coefficient
        named = zip(names, exponents, strict=True)
        powers = [n if e == 1 else f"{n}^{e}" for n, e in named if e]
        sign, size = ("-", coefficient[1:]) if coefficient[0] == "-" else ("+", coefficient)
        factors = powers if size == "1" and powers else [size, *powers]
        texts.append(f"{sign} {'*'.join(factors)}")
    text = " ".join(texts)
    return text[2:] if text.startswith("+ ") else "-" + text[2:]
