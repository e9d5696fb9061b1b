"""Commands in this process: quicker than a new one, and their output is seen the same."""

import pytest

from rlct.cli.main import main


@pytest.fixture
def call(capsys):
    """Run a command; return its exit code, and what it printed and said on standard error."""

    def invoke(*arguments):
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = stop.code
        out, err = capsys.readouterr()
        return code, out, err

    return invoke
