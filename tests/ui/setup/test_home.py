"""Home and Goal: the list to continue from, the example, the first card."""

from dataclasses import replace

from tailor.engine.types import Draft
from tailor.ui.pages.goal import before_data, goal_cards, pick_goal
from tailor.ui.pages.home import begin_example, read_computer, read_list
from tailor.ui.services import Services
from tailor.ui.text import GoalText, HomeText
from tailor.ui.views.projects import list_projects, project_list


def test_an_empty_list_says_what_will_stand_there(services: Services) -> None:
    markup, is_live = read_list(services, "ada")
    assert HomeText.CONTINUE_EMPTY in markup
    assert not is_live


def test_a_draft_is_listed_with_one_sentence_and_one_next_action(services: Services) -> None:
    services.edit_draft("ada", "d1", title="Shift <notes>", step=1)
    markup, _ = read_list(services, "ada")
    assert "Shift &lt;notes&gt;" in markup
    assert HomeText.DRAFT_SENTENCES[1] in markup
    assert 'href="/project?draft=d1&amp;step=1"' in markup


def test_removing_asks_once_and_names_what_is_lost(services: Services) -> None:
    services.edit_draft("ada", "d1", title="Notes")
    markup, _ = read_list(services, "ada", asking="d1")
    assert HomeText.REMOVE_ASK.format(title="Notes") in markup
    assert 'data-send="remove d1"' in markup


def test_a_draft_with_a_run_is_listed_as_that_run(make_run) -> None:
    run = replace(make_run(), status="running", reason="Learning. 420 of 1,120 steps.")
    draft = Draft(id="d1", title="Notes", run_id=run.id)
    projects = list_projects((draft,), (run,))
    assert len(projects) == 1
    assert projects[0].title == "Notes"
    assert projects[0].is_live
    assert "420 of 1,120" in project_list(projects, now=run.created_at + 3600)


def test_a_finished_run_leads_to_its_results(make_run) -> None:
    run = replace(make_run(), status="succeeded")
    assert list_projects((), (run,))[0].address == f"/project?run={run.id}&step=6"


def test_the_example_is_a_draft_with_its_rows_confirmed(services: Services, engine) -> None:
    draft = begin_example(services, "ada")
    assert draft.goal == "format"
    assert engine.dataset(draft.dataset_id).mapping is not None


def test_this_computer_is_told_in_words(services: Services) -> None:
    markup = read_computer(services)
    assert HomeText.NO_CARD in markup
    assert "20 GB free of 24 GB" in markup


def test_picking_a_goal_saves_it_and_anything_else_is_ignored(services: Services, engine) -> None:
    choices, problem = pick_goal(services, "ada", "d1", "classify")
    assert GoalText.CARDS["classify"][0] in choices
    assert problem == ""
    pick_goal(services, "ada", "d1", "<script>")
    assert engine.kept["d1"].goal == "classify"


def test_the_cards_are_radio_buttons_with_the_chosen_one_checked() -> None:
    markup = goal_cards("style")
    assert markup.count('type="radio"') == 4
    assert 'data-send="style" checked' in markup


def test_the_wish_names_the_project(services: Services) -> None:
    before_data(services, "ada", "d1", "  Turn notes\n into forms ")
    draft = services.draft("ada", "d1")
    assert draft.wish == draft.title == "Turn notes into forms"
    before_data(services, "ada", "d1", "Something else")
    assert services.draft("ada", "d1").title == "Something else"
