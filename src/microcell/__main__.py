"""`python -m microcell` is the command line."""

from microcell.cli import main

if __name__ == "__main__":
    main()
