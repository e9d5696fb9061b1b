"""What can be asked on the page: one form for each kind of question."""

from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any

from rlct.models import all_models

MAIN_FORMS = ("poly", "ideal", "linear", "quadratic", "relu")
"""Kinds that every page links to; the others are models of the catalogue."""


@dataclass(frozen=True)
class FormField:
    """One entry of a form."""

    #: In the address, and of the parameter it stands for.
    name: str
    label: str
    hint: str = ""
    #: ``"text"``, ``"lines"`` (one item a line), ``"json"``, ``"integer"`` or ``"flag"``.
    kind: str = "text"
    example: str = ""
    required: bool = False
    #: Whether it is among the conditions that most questions do without.
    rare: bool = False


@dataclass(frozen=True)
class QuestionForm:
    """A kind of question."""

    #: In the address.
    id: str
    #: The command that asks the same.
    words: tuple[str, ...]
    title: str
    intro: str
    fields: tuple[FormField, ...]
    examples: tuple[tuple[str, dict[str, str]], ...] = ()

    def field(self, name: str) -> FormField | None:
        """Return the field of a name."""
        return next((field for field in self.fields if field.name == name), None)


_PLACE_FIELDS = (
    FormField(
        "at",
        "At the point",
        "The origin if left empty. Roots may be written x=sqrt(2) or x=root(t^2-2,1..2).",
        example="x=1,y=0",
        rare=True,
    ),
    FormField(
        "prior",
        "Prior",
        "A monomial: x*y**3 is the density |x||y|³.",
        example="x*y**3",
        rare=True,
    ),
    FormField("nonneg", "Variables ≥ 0", "Restricted to x ≥ 0.", example="x,y", rare=True),
    FormField(
        "over",
        "Minimum over a box",
        "Instead of the value at a point; an interval for every variable.",
        example="x=-2:2,y=-2:2",
        rare=True,
    ),
)

_POLY_FORM = QuestionForm(
    "poly",
    ("poly",),
    "Polynomial",
    "K ≥ 0 itself, at one of its zeros.",
    (
        FormField(
            "K",
            "K",
            "Use + - * ** (or ^), parentheses and fractions.",
            example="(x**2 - y**3)**2",
            required=True,
        ),
        *_PLACE_FIELDS,
    ),
    (
        ("cusp", {"K": "(x^2 - y^3)^2"}),
        ("monomial", {"K": "x^2*y^4"}),
        ("an isolated zero, θ = 2", {"K": "x^2*y^2 + x^6 + y^6"}),
        ("at an irrational point", {"K": "((x^2-2)^2 - y^3)^2", "at": "x=sqrt(2)"}),
        ("over a box", {"K": "(x^2+y^2-1)^2*(x-y)^2", "over": "x=-2:2,y=-2:2"}),
    ),
)

_IDEAL_FORM = QuestionForm(
    "ideal",
    ("ideal",),
    "Ideal",
    "K is the sum of the squares of the generators.",
    (
        FormField(
            "generators",
            "Generators",
            "One polynomial a line.",
            "lines",
            "x*y\ny*z\nz*x",
            required=True,
        ),
        *_PLACE_FIELDS,
    ),
    (
        ("three planes", {"generators": "x*y\ny*z\nz*x"}),
        ("a mixture", {"generators": "a*b + (1-a)*c\na*b^2 + (1-a)*c^2", "at": "a=1/2"}),
        (
            "product of two 2×2 matrices",
            {"generators": "a*e + b*g\na*f + b*h\nc*e + d*g\nc*f + d*h"},
        ),
    ),
)

_LINEAR_FORM = QuestionForm(
    "linear",
    ("net", "linear"),
    "Linear network",
    "Deep linear network at a true map of the given rank: the least λ over all its parameters.",
    (
        FormField("widths", "Widths", "From input to output.", example="5 3 5", required=True),
        FormField("rank", "Rank of the true map", "", "integer", "1", required=True),
        FormField("bias", "Every layer has a bias", "", "flag"),
        FormField(
            "input_rank",
            "Rank of the inputs",
            "Of their second moment, if it is deficient.",
            "integer",
            rare=True,
        ),
    ),
    (
        ("5 → 3 → 5, rank 1", {"widths": "5 3 5", "rank": "1"}),
        ("784 → 128 → 64 → 10", {"widths": "784 128 64 10", "rank": "10", "bias": "on"}),
    ),
)

_TWO_UNITS = '{"hidden": [[1], [1]], "bias": [0, 0], "outer": [["1/2", "1/2"]]}'


def _weights_field(example: str, **conditions: bool) -> FormField:
    hint = "JSON with hidden (a row per unit) and outer (a row per output), perhaps bias."
    return FormField("weights", "Weights", hint, "json", example, **conditions)


_QUADRATIC_FORM = QuestionForm(
    "quadratic",
    ("net", "quadratic"),
    "Quadratic network",
    "f_k(x) = Σ_j v_kj (w_j·x + b_j)² + c_k, at a generic parameter or at given weights.",
    (
        FormField("inputs", "Inputs d", "", "integer", "4"),
        FormField("units", "Units K", "", "integer", "5"),
        FormField("outputs", "Outputs p", "", "integer", "3"),
        FormField("bias", "Units and outputs have biases", "", "flag"),
        FormField(
            "data",
            "Data",
            "modular:5, or rows of numbers as JSON. Without it the inputs have a density.",
            "json",
            "modular:5",
            rare=True,
        ),
        FormField("centred", "Outputs are compared up to their mean", "", "flag", rare=True),
        _weights_field('{"hidden": [[1, 0], [0, 0]], "outer": [[1, 0], [1, 0]]}', rare=True),
    ),
    (
        ("4 inputs, 5 units, 3 outputs", {"inputs": "4", "units": "5", "outputs": "3"}),
        ("modular addition", {"units": "4", "data": "modular:5"}),
    ),
)

_RELU_FORM = QuestionForm(
    "relu",
    ("net", "relu"),
    "ReLU network",
    "f(x) = Σ_j v_j ReLU(w_j·x + b_j) + c, one hidden layer, at given weights.",
    (
        _weights_field(_TWO_UNITS, required=True),
        FormField(
            "density",
            "Inputs with a density",
            "On this box; or else give data.",
            example="x=-1:1",
        ),
        FormField(
            "data", "Inputs that are data", "Rows of numbers as JSON.", "json", "[[-1], [2]]"
        ),
        FormField("output_bias", "Outputs have biases", "", "flag", rare=True),
        FormField(
            "fibre",
            "Least λ over all parameters of the same function",
            "Instead of the value at the weights; with a density.",
            "flag",
            rare=True,
        ),
        FormField(
            "units", "Hidden units of the model", "With the line above.", "integer", "3", rare=True
        ),
    ),
    (
        ("two units with one boundary, density", {"weights": _TWO_UNITS, "density": "x=-1:1"}),
        ("the same on data", {"weights": _TWO_UNITS, "data": "[[-2], [-1], [1], [2]]"}),
    ),
)


def _of_model(model: Any) -> QuestionForm:
    """Make the form of a model of the catalogue from its fields."""
    entries = []
    for item in fields(model):
        kind = {"size": "integer", "flag": "flag"}.get(item.metadata["kind"], "text")
        default = None if item.default is MISSING else item.default
        shown = "" if default in (None, "", False) else f" ({default} if left empty)"
        entries.append(
            FormField(
                item.name,
                item.name.replace("_", " ").capitalize(),
                f"{item.metadata['help']}{shown}",
                kind,
                required=item.default is MISSING,
            )
        )
    words = (model.group, model.id)
    intro = (model.__doc__ or "").split("\n")[0]
    title = model.title[0].upper() + model.title[1:]
    example = (model.example, _typed_example(model))
    return QuestionForm(model.id, words, title, intro, tuple(entries), (example,))


def _typed_example(model: Any) -> dict[str, str]:
    """The example of a command, such as ``2 3 1 --degree 3``, as entries of a form."""
    sizes, *options = model.example.split("--")
    in_order = sizes.split()
    if len(model.in_order) == 1:
        in_order = [",".join(in_order)]
    typed = dict(zip(model.in_order, in_order, strict=False))
    typed.pop("1", None)  # a size that cannot be another
    for option in options:
        name, _, text = option.strip().partition(" ")
        typed[name.replace("-", "_")] = text or "on"
    return typed


@cache
def all_forms() -> dict[str, QuestionForm]:
    """Every form by its id, the main ones first."""
    main = (_POLY_FORM, _IDEAL_FORM, _LINEAR_FORM, _QUADRATIC_FORM, _RELU_FORM)
    return {form.id: form for form in (*main, *map(_of_model, all_models()))}


def get_form(name: str) -> QuestionForm | None:
    """Return the form of an id, None if there is none."""
    return all_forms().get(name)
