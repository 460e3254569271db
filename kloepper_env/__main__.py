"""`python -m kloepper_env` is the command `kloepper`."""

from kloepper_env.console import run_command

if __name__ == "__main__":
    run_command()
