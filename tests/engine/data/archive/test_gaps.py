"""Where code is cut: at lines, around whole statements, with every bracket closed."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tailor.engine.data.archive.gaps import cut_gaps

PYTHON = '''"""About
fields (and such.
"""


def area(
    width,
    height,
):
    result = width * height
    if result > 10:
        print("large :)")
    else:
        print("small")
    return result


class Field:
    """Of grass."""

    def grow(self, days):
        for day in range(days):
            self.height += day
        return self.height
'''
C = """/* A remark
   over (lines
*/
static int add(int a, int b)
{
    int sum = a + b;
    if (sum > 10) {
        printf("big)\\n");
    }
    return sum;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        add(i,
            2);
    }
    return 0;
}
"""


def all_gaps(text: str):
    """Gaps of many files that hold the same text, so that every kind of cut is seen."""
    return [gap for number in range(40) for gap in cut_gaps(text, f"file{number}")]


@pytest.mark.parametrize("text", [PYTHON, C, PYTHON.replace("    ", "\t")])
def test_gaps_are_whole_lines_with_closed_brackets(text):
    gaps = all_gaps(text)
    assert len({gap.middle for gap in gaps}) >= 3
    for gap in gaps:
        assert gap.before + gap.middle + gap.after == text
        assert gap.middle.endswith("\n")
        for opening, closing in ("()", "[]", "{}"):
            plain = gap.middle.replace(":)", "").replace("big)", "")
            assert plain.count(opening) == plain.count(closing)


def test_taking_a_piece_of_python_out_leaves_python_when_a_word_stands_in_for_it():
    for gap in all_gaps(PYTHON):
        indent = gap.middle[: len(gap.middle) - len(gap.middle.lstrip())]
        if ":" in gap.middle.splitlines()[0] or gap.middle.rstrip().endswith(","):
            continue  # A heading such as "else:" or an argument needs more than a word.
        ast.parse(gap.before + indent + "pass\n" + gap.after)


def test_texts_and_remarks_over_lines_are_no_code():
    assert not any("fields (and" in gap.middle for gap in all_gaps(PYTHON))
    assert not any("over (lines" in gap.middle for gap in all_gaps(C))


def test_long_files_are_cut_down_around_the_gap():
    text = "".join(f"value_{number} = compute(value_{number - 1})\n" for number in range(5_000))
    gaps = list(cut_gaps(text, "long.py"))
    assert len(gaps) == 20
    for gap in gaps:
        assert len(gap.before) <= 4_000
        assert len(gap.after) <= 1_500
        assert gap.before + gap.middle + gap.after in text
    places = [(gap.first_line, gap.last_line) for gap in gaps]
    assert places == sorted(places)
    assert all(one[1] < other[0] for one, other in zip(places, places[1:], strict=False))


def test_a_file_without_whole_pieces_gives_none():
    assert list(cut_gaps("# only\n# remarks\n# in it\n# at all\n# here\n", "a.py")) == []
    assert list(cut_gaps("", "a.py")) == []


@settings(max_examples=60, deadline=None, derandomize=True)
@given(some.text(alphabet="abc(){}[]\"'\n\t :#/*", max_size=400))
def test_any_text_is_cut_without_losing_a_letter(text):
    for gap in cut_gaps(text, "any"):
        assert gap.before + gap.middle + gap.after == text
