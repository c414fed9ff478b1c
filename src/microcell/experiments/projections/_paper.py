"""Table 1 of the paper: information loss, disclosure risks and score, in per cent."""

from microcell.experiments._experiment import Paper

PROJECTIONS_PAPER = Paper("Modeling Projections in Microaggregation", "Nin and Torra")
TABLE_COLUMNS = ("IL", "DLD", "PLD", "ID", "score")

# method, v, k; then IL, DLD, PLD, ID and score on EIA, and the same on Census
_PRINTED = """
pcp     2  5   13.90   2.94   6.91  70.04  25.69   80.96  12.93   5.70  42.60  53.46
pcp     2 15   17.24   1.72   2.37  67.67  26.05   92.94   8.46   2.94  35.64  56.81
pcp     2 25   19.98   1.42   1.58  67.21  27.17   84.77   6.61   1.94  32.93  51.69
zscores 2  5    4.27  25.36  36.08  89.26  32.13   81.57  16.78   7.85  48.27  55.93
zscores 2 15    5.08  21.92  34.37  87.85  31.54   98.05  12.96   6.19  44.33  62.50
zscores 2 25    5.52  21.05  35.06  87.33  31.61  100.92  12.85   4.83  42.90  63.40
sugeno  2  5    5.25  17.79  23.90  86.65  29.50   73.44   9.63   6.00  40.75  48.86
sugeno  2 15    6.24  14.14  19.11  85.08  28.55   79.39   4.85   4.63  34.02  49.39
sugeno  2 25    6.49  12.81  18.29  84.51  28.26   73.43   3.72   4.76  32.96  46.02
pcp     3  5   16.08   2.47   2.69  62.79  24.38   57.72  10.15   5.71  43.48  41.71
pcp     3 15   17.76   1.49   1.21  59.41  24.07   71.28   4.35   3.49  37.36  45.96
pcp     3 25   18.49   1.31   0.90  58.49  24.14   72.49   4.07   2.65  35.51  45.96
zscores 3  5   13.24   6.40   9.26  72.31  26.66   60.98  14.44  13.67  50.63  46.66
zscores 3 15   15.30   3.79   5.50  69.35  26.15   75.21   9.38  10.46  45.71  51.51
zscores 3 25   15.73   3.21   5.02  68.65  26.06   79.38   7.47   9.04  44.20  52.80
sugeno  3  5   17.22   3.78   6.89  65.52  26.32   83.93   7.47   7.25  44.50  54.93
sugeno  3 15   21.31   1.74   3.21  61.22  26.58  122.52   3.55   5.52  39.47  72.26
sugeno  3 25   20.08   1.47   2.65  60.83  25.76  129.37   3.30   4.57  39.08  75.44
pcp     4  5   18.25   4.23   4.81  73.22  28.56   72.23   6.48   3.06  45.12  48.59
pcp     4 15   16.39   1.96   2.13  70.48  26.33   91.74   3.43   2.04  40.73  56.74
pcp     4 25   17.27   1.93   1.91  69.66  26.53   92.17   2.92   1.71  39.72  56.59
zscores 4  5   13.91   5.21   8.50  78.73  28.35   62.04  11.71   7.04  40.50  43.49
zscores 4 15   21.79   2.71   4.40  77.41  31.14   86.47   5.60   4.21  43.77  55.40
zscores 4 25   21.66   2.35   3.89  76.76  30.80   89.20   4.40   3.38  42.86  56.29
sugeno  4  5   28.78   2.20   3.30  73.48  33.45   82.43   3.15   0.51  36.51  50.80
sugeno  4 15   35.97   0.71   1.03  70.86  35.92   86.64   0.83   0.28  32.19  51.51
sugeno  4 25   45.27   0.42   0.71  70.31  40.35   83.08   0.60   0.37  30.90  49.39
"""
TABLE_1 = {
    (method, int(v), int(k)): tuple(map(float, figures))
    for method, v, k, *figures in map(str.split, _PRINTED.strip().splitlines())
}


def published(data, method, v, k):
    """The paper's row as a dictionary of its columns.

    Examples
    --------
    >>> published("census", "sugeno", 4, 25)["score"]
    49.39
    """
    row = TABLE_1[method, v, k]
    return dict(zip(TABLE_COLUMNS, row[:5] if data == "eia" else row[5:], strict=True))
