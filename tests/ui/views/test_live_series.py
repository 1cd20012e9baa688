"""What the chart draws and what it says beneath."""

from tailor.engine.types import Progress, Series, Trace
from tailor.ui.views.live_series import chart_sentence, chart_value


def series_of(held_out, train=(3.0, 2.0, 1.0)):
    return Series(
        cursor=9,
        traces=(
            Trace(name="loss/train", steps=tuple(range(1, len(train) + 1)), values=train),
            Trace(
                name="loss/held_out",
                steps=tuple(range(0, 10 * len(held_out), 10)),
                values=held_out,
            ),
        ),
    )


def say(held_out, *, best_step=None, is_live=True, train=(3.0, 2.0)):
    return chart_sentence(series_of(held_out, train), best_step=best_step, is_live=is_live)


def test_nothing_yet_says_what_will_stand_there_and_that_nothing_came():
    assert "starts with the first step" in say((), train=())
    assert "ended before its first step" in say((), train=(), is_live=False)


def test_falling_level_and_rising_curves_are_told_apart():
    assert "Still learning" in say((3.0, 2.0, 1.0))
    assert "Nearly level" in say((3.0, 1.0, 0.999))
    rising = say((3.0, 1.0, 1.4))
    assert "Since step 10" in rising
    assert "version of step 10 is kept" in rising


def test_an_ended_run_names_the_kept_version_and_a_run_without_gain_says_so():
    assert "version of step 10 is kept" in say((3.0, 1.0, 1.4), is_live=False)
    assert "did not fall below the 3.00" in say((3.0, 3.4, 3.2), is_live=False)


def test_the_ring_stands_on_the_version_that_the_engine_keeps(make_run):
    run = make_run(progress=Progress(step=22, steps=120, best_step=10))
    value = chart_value(run, series_of((3.0, 1.0, 1.4)), is_live=True)
    assert value["best"] == {"step": 10, "value": 1.0, "words": "kept"}
    assert [line["role"] for line in value["lines"]] == ["train", "held_out"]
    assert value["run"] == run.id
    assert value["x_end"] == 24


def test_the_untouched_model_is_a_first_point_without_a_ring(make_run):
    run = make_run(progress=Progress(best_step=0))
    value = chart_value(run, series_of((5.6,), train=()), is_live=True)
    assert value["best"] is None
    assert value["x_end"] == 10
    assert "untouched model stands at 5.60" in value["sentence"]


def test_an_ended_run_fills_the_axis_and_a_live_one_leaves_room(make_run):
    run = make_run()
    long = series_of((3.0,) * 9, train=(1.0,))
    assert chart_value(run, long, is_live=False)["x_end"] == 80
    assert chart_value(run, long, is_live=True)["x_end"] == 96


def test_a_metric_that_is_not_asked_for_is_not_drawn(make_run):
    odd = Series(cursor=1, traces=(Trace(name="<img src=x>", steps=(1,), values=(1.0,)),))
    assert chart_value(make_run(), odd, is_live=True)["lines"] == []
