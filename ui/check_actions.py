"""What a press on the Check screen does: repair, undo, leave, ask, mix, limit, words, exam.

Each word that a button sends is one verb here. They change the draft or the dataset and give
nothing back; the page then shows what is so. A refusal is raised as `UserError`.
"""

import uuid
from collections.abc import Callable
from typing import Final

from tailor.engine.errors import UserError
from tailor.engine.types import Draft
from tailor.recipes.spec import ExamQuestion, Message
from tailor.ui.check_state import Checked, look_at
from tailor.ui.components.form_html import Answers
from tailor.ui.row_limit import with_row_limit
from tailor.ui.services import Services
from tailor.ui.text_check import CheckText
from tailor.ui.views.doctor import VALUE
from tailor.ui.views.exam_list import EXPECTED, MOST_CHARACTERS, QUESTION
from tailor.ui.views.mixing_form import mixing_from

MOST_OWN_QUESTIONS: Final = 10
MOST_ADDED_WORDS: Final = 100
LONG_ROWS, LEAVE_OUT_ROWS = "long_rows", "leave_out_rows"
"""The check that a model's reading makes, and the fix that every check knows."""

Act = Callable[[Services, str, Draft, str, Answers], None]


def act(services: Services, owner: str, draft: Draft, word: str, said: Answers) -> str:
    """Do what a button or field asked for; gives the part of the screen that it stands in."""
    verb, _, rest = word.partition(":")
    if verb not in ACTS:
        return ""
    part, do = ACTS[verb]
    do(services, owner, draft, rest, said)
    return part


def part_of(word: str) -> str:
    """The part of the screen in which a word's button stands."""
    return ACTS[word.partition(":")[0]][0] if word.partition(":")[0] in ACTS else ""


def _fix(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    check, _, fix = rest.partition(":")
    value = said.get(VALUE, ("",))[-1]
    services.engine(owner).fix(draft.dataset_id, check, fix, value=value)


def _undo(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    services.engine(owner).undo(draft.dataset_id)


def _skip(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    services.engine(owner).skip(draft.dataset_id, rest)


def _look(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    services.engine(owner).skip(draft.dataset_id, rest, is_skipped=False)


def _request(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    services.engine(owner).request_check(draft.dataset_id, rest)


def _mix(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    engine = services.engine(owner)
    before = engine.dataset(draft.dataset_id).mixing
    mixing = mixing_from(said, before)
    if mixing != before:
        engine.mix(draft.dataset_id, mixing)


def _leave_long(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    """Leave out the rows that the last reading found too long; nothing when it is not there yet."""
    looked = look_at(services, owner, draft)
    if isinstance(looked, Checked) and looked.report.long_row_ids:
        ids = ",".join(str(one) for one in looked.report.long_row_ids)
        services.engine(owner).fix(draft.dataset_id, LONG_ROWS, LEAVE_OUT_ROWS, value=ids)


def _limit(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    services.edit_draft(owner, draft.id, knobs=with_row_limit(draft, rest))


def _words(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    words = tuple(dict.fromkeys((*draft.added_words, *said.get("word", ()))))
    if len(words) > MOST_ADDED_WORDS:
        raise UserError(
            title=CheckText.WORDS_MANY_TITLE,
            detail=CheckText.WORDS_MANY_DETAIL.format(count=len(words), most=MOST_ADDED_WORDS),
            fix=CheckText.WORDS_MANY_FIX,
        )
    services.edit_draft(owner, draft.id, added_words=words)


def _word_out(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    kept = tuple(word for word in draft.added_words if word != rest)
    services.edit_draft(owner, draft.id, added_words=kept)


def _add(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    asked, accepted = typed_question(said)
    if not asked:
        raise UserError(
            title=CheckText.OWN_EMPTY_TITLE,
            detail=CheckText.OWN_EMPTY_DETAIL,
            fix=CheckText.OWN_EMPTY_FIX,
        )
    longest = max(len(asked), len(accepted))
    if longest > MOST_CHARACTERS:
        raise UserError(
            title=CheckText.OWN_LONG_TITLE,
            detail=CheckText.OWN_LONG_DETAIL.format(count=longest, most=MOST_CHARACTERS),
            fix=CheckText.OWN_LONG_FIX,
        )
    if len(draft.own_questions) >= MOST_OWN_QUESTIONS:
        raise UserError(
            title=CheckText.OWN_TOO_MANY_TITLE,
            detail=CheckText.OWN_TOO_MANY_DETAIL.format(most=MOST_OWN_QUESTIONS),
            fix=CheckText.OWN_TOO_MANY_FIX,
        )
    own = ExamQuestion(
        id=f"own-{uuid.uuid4().hex[:8]}",
        messages=(Message(role="user", content=asked),),
        expected=accepted,
    )
    services.edit_draft(owner, draft.id, own_questions=(own, *draft.own_questions))


def typed_question(said: Answers) -> tuple[str, str]:
    """Question and expected answer as they were typed."""
    return said.get(QUESTION, ("",))[-1].strip(), said.get(EXPECTED, ("",))[-1].strip()


def _remove(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    kept = tuple(one for one in draft.own_questions if one.id != rest)
    services.edit_draft(owner, draft.id, own_questions=kept)


def _nothing(services: Services, owner: str, draft: Draft, rest: str, said: Answers) -> None:
    """The word only asks to see something again or more of it."""


ACTS: Final[dict[str, tuple[str, Act]]] = {
    "fix": ("rows", _fix),
    "undo": ("rows", _undo),
    "skip": ("rows", _skip),
    "look": ("rows", _look),
    "request": ("rows", _request),
    "mix": ("rows", _mix),
    "mix_open": ("rows", _nothing),
    "again": ("reading", _nothing),
    "leave_long": ("reading", _leave_long),
    "limit": ("reading", _limit),
    "words": ("reading", _words),
    "word_out": ("reading", _word_out),
    "add": ("exam", _add),
    "remove": ("exam", _remove),
}
"""What a word does, and in which part of the screen its button stands."""
