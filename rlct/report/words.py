"""Words that change with a number."""


def counted_noun(number: int, noun: str) -> str:
    """Write a number with its noun, which takes an s unless there is one.

    >>> counted_noun(1, "answer"), counted_noun(0, "answer")
    ('1 answer', '0 answers')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
