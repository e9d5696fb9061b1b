"""A process that has imported the program, and forks for every command that a shell types.

``python warm.py SOCKET`` serves; ``python warm.py SOCKET ARGUMENT…`` is a command, run there.
Imports take a second, more than most commands do; this takes some hundredths.
"""

import atexit
import gc
import json
import os
import socket
import sys


def hand_over(path, arguments):
    """Have a command run with the streams, folder and environment of this process."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(path)
        socket.send_fds(link, [b"."], [0, 1, 2])
        link.sendall(json.dumps([arguments, os.getcwd(), dict(os.environ)]).encode() + b"\n")
        return int(link.makefile().readline())


def take_over(link):
    """Become, in a child of the server, the process that runs the command."""
    _, streams, _, _ = socket.recv_fds(link, 1, 3)
    sys.argv[1:], folder, environment = json.loads(link.makefile().readline())
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    link.close()
    # Streams know whether they are a file or a pipe from when they were opened.
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)


def import_all():
    """Import what commands import late, except where an extra is missing."""
    # Not above: a command that hands over begins in a hundredth of a second.
    from contextlib import suppress
    from importlib import import_module
    from pkgutil import walk_packages

    import rlct

    import_module("arviz_stats.base.array")
    for module in walk_packages(rlct.__path__, "rlct."):
        if module.name != "rlct.__main__":
            with suppress(ImportError):
                import_module(module.name)


def serve(path):
    """Answer commands; return in the processes that run one."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        print("ready", flush=True)
        while True:
            link, _ = listener.accept()
            if os.fork() == 0:
                break
            link.close()
    runner = os.fork()
    if runner:
        code = os.waitstatus_to_exitcode(os.waitpid(runner, 0)[1])
        link.sendall(f"{code}\n".encode())
        os._exit(0)
    take_over(link)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(hand_over(sys.argv[1], sys.argv[2:]))
    from rlct.cli.main import main

    import_all()
    gc.freeze()  # what is collected in a child, and at its end, would have to be copied first
    serve(sys.argv[1])
    try:
        code = main()
    except SystemExit as stop:
        code = stop.code
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(code or 0)  # for the same reason
