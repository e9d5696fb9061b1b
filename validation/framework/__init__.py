"""Experiments of the sources, rerun: the frame; the experiments live in ``validation/experiments``.

To add one, write ``validation/experiments/<folder>/<name>.py`` (no leading underscore; shared
helpers have one) whose docstring says what is done, and give it a module-level
``EXPERIMENT = experiment(__name__, ...)``, see `validation.framework.experiment`, which takes the
source and the id from where it lies, and the functions below by their names:

- ``**suites(name=(quick, full), ...)`` are the settings of both suites, as data; the quick one may
  take some seconds, on one core.
- ``units(settings)`` yields small JSON objects, one for each independent piece of work; a finished
  one is never repeated, so an hour of work had better be several units.
- ``run(settings, unit, rng)`` computes one and returns a small JSON object (no NaN). An
  `AbsentError` says which data set is not here, and how to get it: not run, and no failure.
- ``theory(settings, row)`` returns what of a row is computed and not measured, λ and θ first;
  ``run`` takes it from there, and the tests hold every recorded row against it.
- ``judge(settings, rows)`` turns them (each ``{**unit, **result}``) into a `Finding` for each
  table or figure it speaks of, with *claims* (`validation.framework.claim`: a measured value, the
  range that the source's words allow, a planted control), which make the verdict, and *facts* of
  our theory (`exact` and `close` of `validation.audit.row`), which every run must bear out. Checks
  of many rows are a table (`validation.framework.fact_table`). What is
  estimated beside a λ of ours is a `validation.framework.estimate.estimate`: its error makes the
  tolerance, and it says which wrong λ it would reject. ``judge`` asks the calculator for λ, not the
  rows.
- ``draw(settings, rows, figure)`` fills a matplotlib figure: theory and simulation on the same
  axes. ``judge`` and ``draw`` run on committed rows, also where what ``needs`` names is missing.
- ``places`` names rows of ``validation/places.toml``, which lists every table and figure.
- bump ``version`` when ``run`` changes what it returns; results of older versions are not reused.

Then ``rlct validate NAME`` tries it, ``rlct validate NAME --suite full --record`` writes
``<name>.json``, ``.svg`` and ``.md`` beside the module and renews ``validation/README.md``. The
tests find it by themselves. Modules import siblings as ``validation.experiments.<folder>._x``, and
torch inside functions, with ``needs=("torch",)``.
"""
