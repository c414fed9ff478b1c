from marks import for_each
from tables import gaussian

from microcell import ByStratum
from microcell._progress import listen
from microcell.partition import MDAV, VMDAV, Mondrian, OptimalUnivariate


@for_each(
    "part",
    [
        MDAV(3),
        VMDAV(3),
        Mondrian(3),
        OptimalUnivariate(3),
        ByStratum(MDAV(3), strata=Mondrian(50)),
    ],
)
def test_reports_grow_to_the_whole_table(part):
    heard = []
    with listen(lambda done, total, step: heard.append((done, total))):
        part.fit(gaussian(400, 2))
    done = [d for d, _ in heard]
    assert done == sorted(done) and heard
    assert all(total == 400 for _, total in heard)


def test_nobody_listens_outside():
    heard = []
    with listen(lambda *news: heard.append(news)):
        pass
    MDAV(3).fit(gaussian(20, 2))
    assert heard == []
