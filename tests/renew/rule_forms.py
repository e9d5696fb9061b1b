"""The form of the evidence of each rule, in the JSON schema of certificates."""

import inspect
import json
import re
from pathlib import Path

from rlct.certificate.rules import all_rules

SCHEMA = Path(__file__).parents[2] / "rlct" / "schema" / "certificate-1.json"
TOKEN = re.compile(r'[\w-]+\??|"[\w-]+"|[\[\](){}|:,+]')
BARE = "Rules without evidence: "
INTEGER = {"type": "integer"}
PLAIN = {
    "integer": INTEGER,
    "natural": {**INTEGER, "minimum": 0},
    "positive": {**INTEGER, "minimum": 1},
    "string": {"type": "string"},
    "null": {"type": "null"},
}


class Form:
    """Reads a form such as ``{factors: [(polynomial, positive)]+, field?: field}``.

    ``[T]`` is a list, ``[T]+`` one that is not empty and ``[T]2`` one of two; ``(T, U)`` a list of
    these two; ``T | U`` is one of them; entries with ``?`` may be left out; other words are
    definitions of the schema.
    """

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)

    def take(self, *wanted):
        """The next token, if it is one of those wanted."""
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in wanted else None

    def read(self):
        """Alternatives, as far as they go."""
        forms = [self.one()]
        while self.take("|"):
            forms.append(self.one())
        if all("enum" in form for form in forms):
            return {"enum": [value for form in forms for value in form["enum"]]}
        return forms[0] if len(forms) == 1 else {"anyOf": forms}

    def one(self):
        """A form without alternatives."""
        token = self.tokens.pop(0)
        if token == "[":
            return self.list()
        if token == "(":
            items = self.separated(")", self.read)
            return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
        if token == "{":
            return self.object()
        if token[0] == '"' or token.lstrip("-").isdecimal():
            return {"enum": [json.loads(token)]}
        return PLAIN.get(token, {"$ref": f"#/$defs/{token}"})

    def list(self):
        """What stands between brackets, and how many of it."""
        (inner,) = self.separated("]", self.read)
        sizes = {"+": {"minItems": 1}, "2": {"minItems": 2, "maxItems": 2}}
        return {"type": "array", "items": inner, **sizes.get(self.take("+", "2"), {})}

    def object(self):
        """What stands between braces."""
        entries = dict(self.separated("}", self.entry))
        required = sorted(name for name in entries if not name.endswith("?"))
        return {
            "type": "object",
            **({"required": required} if required else {}),
            "properties": {name.rstrip("?"): form for name, form in entries.items()},
            "additionalProperties": False,
        }

    def entry(self):
        """A name and a form."""
        name = self.tokens.pop(0)
        assert self.take(":"), f"no form of {name}"
        return name, self.read()

    def separated(self, end, read):
        """What is read between commas, up to the end."""
        items = []
        while not self.take(end):
            items.append(read())
            self.take(",")
        return items


def forms():
    """The form of the evidence of each rule by name, empty for none."""
    by_name = {}
    for rule in sorted(all_rules(), key=lambda rule: rule.name):
        if by_name.get(rule.name) and rule.evidence:
            raise ValueError(f"two rules {rule.name} say what their evidence is")
        by_name[rule.name] = by_name.get(rule.name) or rule.evidence
    return by_name


def opening(name):
    """What a new rule bounds: the first sentence of its docstring."""
    rule = next(rule for rule in all_rules() if rule.name == name)
    return " ".join(inspect.getdoc(rule.replay).split("\n\n")[0].split())


def schema():
    """The schema with the rules as they are; a sentence on a rule that is there stays."""
    document = json.loads(SCHEMA.read_text("utf-8"))
    start, said = document["description"].split(BARE)
    sentences = dict(re.findall(r"([\w-]+): (.*?\.)(?= [\w-]+: |$)", said))
    kinds = {}
    for name, form in document["$defs"].items():
        if name.startswith("rule-"):
            sentences[name.removeprefix("rule-")] = form["description"]
        else:
            kinds[name] = form
    by_name = forms()
    bare = [name for name, form in by_name.items() if not form]
    said = " ".join(f"{name}: {sentences.get(name) or opening(name)}" for name in bare)
    cases = [{"if": of_rule({"enum": bare}), "then": {"properties": {"data": False}}}]
    for name in sorted(by_name.keys() - set(bare)):
        form = Form(by_name[name]).read()
        needed = "anyOf" in form or "required" in form
        if not needed:
            form["required"] = []
        kinds[f"rule-{name}"] = {"description": sentences.get(name) or opening(name), **form}
        then = {"properties": {"data": {"$ref": f"#/$defs/rule-{name}"}}}
        then |= {"required": ["data"]} if needed else {}
        cases.append({"if": of_rule({"const": name}), "then": then})
    kinds["step"]["properties"]["rule"]["enum"] = list(by_name)
    kinds["step"]["allOf"] = cases
    return {**document, "description": start + BARE + said, "$defs": kinds}


def of_rule(form):
    """Whether the rule of a step is such."""
    return {"properties": {"rule": form}}


def renew():
    """Write the schema."""
    SCHEMA.write_text(json.dumps(schema(), indent=1, ensure_ascii=False) + "\n", "utf-8")
