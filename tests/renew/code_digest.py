"""What code does, as a text: its syntax tree, with no comments, docstrings or names of locals.

A local is numbered within its function.  Parameters keep their names, which callers may write, and
so do imports and inner functions.  Pythons from 3.11 to 3.13 make the same text.
"""

import ast
import hashlib

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
#: Fields that hold the name of a local beside those of `ast.Name`.
CAPTURES = {"ExceptHandler": "name", "MatchAs": "name", "MatchStar": "name", "MatchMapping": "rest"}
SILENT = ("ctx", "kind", "type_comment", "type_ignores")
#: Functions that read names of locals at run time.
READERS = {"locals", "vars", "eval", "exec", "dir"}


def digest(trees):
    """SHA-256 of modules, by their paths."""
    texts = [f"{place}\n{plain(tree)}" for place, tree in sorted(trees.items())]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def plain(node, scopes=()):
    """The text of a node, where each scope says what a name is called."""
    if isinstance(node, list):
        return f"[{','.join(plain(item, scopes) for item in node)}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    kind = type(node).__name__
    if isinstance(node, ast.Constant):
        return f"Constant({node.value!r})"
    if isinstance(node, ast.Name):
        return f"Name({called(node.id, scopes)})"
    inner, first = scopes, None
    if isinstance(node, (*FUNCTIONS, *COMPREHENSIONS)):
        inner = (*scopes, scope_of(node, len(scopes)))
    if isinstance(node, COMPREHENSIONS):
        first = node.generators[0].iter  # which Python reads before it enters
    parts = []
    for field, value in ast.iter_fields(node):
        if value is None or value == [] or field in SILENT:
            continue
        if isinstance(node, ast.JoinedStr):
            value = [part for part in value if getattr(part, "value", None) != ""]
        if field == "body" and isinstance(value, list) and is_documented(node):
            value = value[1:]
        if field == CAPTURES.get(kind):
            text = called(value, scopes)
        elif isinstance(node, FUNCTIONS):
            text = plain(value, inner if field == "body" else scopes)
        elif field == "generators":
            text = f"[{','.join(generator(item, inner, scopes, first) for item in value)}]"
        else:
            text = plain(value, inner)
        parts.append(f"{field}={text}")
    return f"{kind}({','.join(parts)})"


def generator(node, inner, outer, first):
    """One `for … in … if …` of a comprehension."""
    source = plain(node.iter, outer if node.iter is first else inner)
    return f"for {node.is_async} {plain(node.target, inner)} {source} {plain(node.ifs, inner)}"


def called(name, scopes):
    """What a name is called in the innermost scope that binds it."""
    return next((scope[name] for scope in reversed(scopes) if name in scope), name)


def is_documented(node):
    """Whether a module, class or function opens with a docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None


def scope_of(node, depth):
    """What a function or comprehension calls the names that it binds."""
    if isinstance(node, COMPREHENSIONS):
        bound = [name for part in node.generators for name in stored(part.target)]
        kept = set()
    else:
        statements = node.body if isinstance(node.body, list) else [node.body]
        bound = [name for statement in statements for name in stored(statement)]
        arguments = [item.arg for item in ast.walk(node.args) if isinstance(item, ast.arg)]
        kept = {*arguments, *fixed(node)}
        if None in kept:
            kept = {*kept, *bound} - {None}
        bound = [*bound, *kept]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(bound))}
    return {name: name if name in kept else f"§{depth}.{numbers[name]}" for name in numbers}


def stored(node, inside=False):
    """Names that a statement binds in its own scope, in order."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and not inside:
        yield node.id
    if isinstance(node, ast.NamedExpr):
        yield node.target.id  # of the function, from inside a comprehension, too
    if name := getattr(node, CAPTURES.get(type(node).__name__, ""), None):
        yield name
    if isinstance(node, ast.ClassDef):
        return
    inside = inside or isinstance(node, COMPREHENSIONS)
    for field, value in ast.iter_fields(node):
        if isinstance(node, FUNCTIONS) and field == "body":
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from stored(child, inside)


def fixed(node):
    """Names in a function that are written elsewhere, or that an import or `def` gives.

    None stands for all: where a class is inside, whose names are attributes, or where what is
    called reads the names of locals.
    """
    for part in ast.walk(node):
        if isinstance(part, (ast.Global, ast.Nonlocal)):
            yield from part.names
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            yield from (item.asname or item.name.partition(".")[0] for item in part.names)
        elif isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield part.name
        elif isinstance(part, ast.ClassDef):
            yield from (part.name, None)
        elif isinstance(part, ast.Call) and getattr(part.func, "id", "") in READERS:
            yield None
