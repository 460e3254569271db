"""`python -m kloepper_training` is the command `kloepper`."""

from kloepper_training.cli import main

if __name__ == "__main__":
    main()
