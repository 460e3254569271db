"""The entry point of `kloepper`: it imports nothing, so that Ctrl-C is heard from the start."""


def main() -> None:
    """Run the command line and end the process."""
    import signal  # noqa: PLC0415  # see above
    import sys  # noqa: PLC0415  # the same

    try:
        from kloepper_training import cli  # noqa: PLC0415  # the same

        cli.main()
    except KeyboardInterrupt:
        print("kloepper: interrupted", file=sys.stderr)
        _end(128 + signal.SIGINT)
    except SystemExit as end:
        if isinstance(end.code, int) and end.code > 128:
            _end(end.code)
        raise


def _end(status: int) -> None:
    """End at once: taking down what numba and torch have built can last a second."""
    import contextlib  # noqa: PLC0415  # see above
    import os  # noqa: PLC0415  # the same
    import signal  # noqa: PLC0415  # the same
    import sys  # noqa: PLC0415  # the same

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C finds nothing to interrupt
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, OSError):  # closed, or nobody reads it
            stream.flush()
    os._exit(status)
