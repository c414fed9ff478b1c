"""`python -m microcell` is the command line."""

import os
import sys

if __name__ == "__main__":
    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if not sys.flags.safe_path and sys.path[0] != ours:
        del sys.path[0]  # the current folder, whose files may be a stranger's
    from microcell.cli import main

    main()
