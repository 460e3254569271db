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
        sys.exit(128 + signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left to interrupt
