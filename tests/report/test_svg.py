import re

from matplotlib.figure import Figure

from microcell.report._svg import inline_svg


def drawn():
    figure = Figure(figsize=(3, 2), layout="constrained")
    axes = figure.subplots()
    axes.bar([0, 1], [1, 2], color="#0072B2", hatch="//")
    axes.plot([0, 1], [1, 2], "o", color="#D55E00")
    axes.set_title("both", fontweight="bold")
    return figure


def test_two_pictures_share_no_identifier():
    texts = [inline_svg(drawn(), name, "x") for name in ("one", "two")]
    ids = [set(re.findall(r'id="([^"]+)"', text)) for text in texts]
    assert ids[0] and ids[0].isdisjoint(ids[1])
    for text, own in zip(texts, ids, strict=True):
        used = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', text))
        assert {a or b for a, b in used} == own


def test_a_picture_brings_no_style_date_or_font():
    text = inline_svg(drawn(), "one", "x")
    for word in ("<style", "<metadata", "font-family", "DejaVu", "xmlns"):
        assert word not in text
    assert "var(--blue," in text and "var(--vermillion," in text
    assert "#000000" not in text


def test_the_same_figure_gives_the_same_text():
    assert inline_svg(drawn(), "one", "x") == inline_svg(drawn(), "one", "x")


def test_text_stays_text():
    assert ">both</text>" in inline_svg(drawn(), "one", "x")
