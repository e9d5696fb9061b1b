"""After Ctrl-C or the end of the time nothing new is begun."""

from rlct.engine.germs.family import family_of_germ
from rlct.engine.resolution.resolve import ResolutionSearch
from rlct.engine.strategy import prove_germ
from rlct.questions.problem import Problem
from rlct.system.time_limit import Budget


def test_no_family_is_begun_after_a_stop():
    family = family_of_germ(Problem.ideal(["x**2 + y**2*z", "z**3 - x*y"]).local)
    for stopped in (False, True):
        budget = Budget(None)
        search = ResolutionSearch(
            budget, lambda g, goal, depth, b=budget: prove_germ(g, b, None, goal, depth)
        )
        if stopped:
            budget.stop()
        proof = search.prove(family, None, 0)
        # The stopped search has looked at nothing; the other has.
        assert (search._nodes == 0) is stopped
        assert proof.lower <= proof.upper if proof.upper else True
