"""Cells in the plane before and after the LDA rotation: figures 6, 7, 8 and 10.

The classes of a confidential attribute differ along one direction. MDAV's cells have
no orientation; stretched by LDA, they become thin along that direction, and a model
trained on the release finds the border between the classes again.

``python examples/thin_cells.py FOLDER`` writes the figures.
"""

import sys
from pathlib import Path

from microcell.experiments.lda._toy import draw_toy

if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
    folder.mkdir(exist_ok=True)
    draw_toy(folder)
    print(f"written to {folder}: figure_6, figure_7, figure_8, figure_10")
