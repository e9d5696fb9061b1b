"""One spelling of a number with its noun."""

import rlct.cli.simulation.reference
import rlct.serve.answer_page
from rlct.report.words import counted_noun


def test_the_noun_follows_the_number():
    assert [counted_noun(n, "parameter") for n in (0, 1, 2)] == [
        "0 parameters",
        "1 parameter",
        "2 parameters",
    ]
    assert (
        rlct.cli.simulation.reference.counted_noun
        is rlct.serve.answer_page.counted_noun
        is counted_noun
    )
