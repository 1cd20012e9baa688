"""What each verb makes of a dataset: from what a person asked for to the record as it should be.

Every function here looks at a dataset as it is and either says what it is to become or why not;
none of them changes a file. The library applies the answer, whole or not at all.
"""

from collections.abc import Sequence
from dataclasses import replace

from tailor.engine.data.dataset_work import file_names, still_busy
from tailor.engine.data.doctor.doctor import EXTRA_CHECKS
from tailor.engine.data.making.mapping import check_mapping
from tailor.engine.data.mixing import GENERAL, GENERAL_SHARE_MOST, check_mixable
from tailor.engine.data.owner import OwnerFolder
from tailor.engine.data.report import MapReport, ReadReport, Source
from tailor.engine.data.request import MixedSet
from tailor.engine.data.set_folder import SetFolder
from tailor.engine.data.shown import merge_findings
from tailor.engine.data.versions import Change
from tailor.engine.data_types import Mapping, Mixing, Operation
from tailor.engine.errors import UserError
from tailor.estimator.record import record

WEIGHT_MOST = 100.0


@record
class Dataset:
    """A dataset whose rows are there, as its verbs find it. Made by `open_dataset`."""

    owner: OwnerFolder
    folder: SetFolder
    source: Source
    read: ReadReport

    @property
    def mapped(self) -> MapReport:
        """Its finished examples; raises while there are none."""
        if self.source.mapped is None:
            raise not_mapped()
        return self.source.mapped


def open_dataset(owner: OwnerFolder, folder: SetFolder) -> Dataset:
    """The dataset as it stands; raises with what is in the way."""
    source = folder.load()
    if source.read is not None:
        return Dataset(owner=owner, folder=folder, source=source, read=source.read)
    if source.problem is not None:
        raise UserError.of(source.problem, status=409)
    raise still_busy()


def map_columns(dataset: Dataset, mapping: Mapping) -> Change:
    """The person said yes to a finished example."""
    check_mapping(mapping, dataset.read.columns)
    return _change(dataset, dataset.source, mapping=mapping)


def fix(dataset: Dataset, check: str, fix_id: str, value: str) -> Change:
    """Something that a finding offers, done."""
    mapping = dataset.mapped.mapping
    operation = Operation(check=check, fix=fix_id, words="", rows=0, value=value, mapping=mapping)
    return _change(dataset, dataset.source, operation=operation)


def undo(dataset: Dataset) -> Change:
    """The newest fix taken back."""
    if not dataset.source.operations:
        raise UserError(
            title="There is nothing to undo",
            detail="The rows are as they were read.",
            fix="Go on with these rows.",
            status=409,
        )
    wanted = replace(dataset.source, operations=dataset.source.operations[:-1])
    return _change(dataset, wanted)


def request_check(dataset: Dataset, check: str) -> Change:
    """A check that only runs when somebody asks for it."""
    if check not in EXTRA_CHECKS:
        raise UserError(
            title="This check does not exist",
            detail=f"“{check[:80]}” was asked for; there are: {', '.join(EXTRA_CHECKS)}.",
            fix="Ask for one of these.",
        )
    asked = tuple(dict.fromkeys((*dataset.source.extra_checks, check)))
    return _change(dataset, replace(dataset.source, extra_checks=asked))


def mix(dataset: Dataset, mixing: Mixing) -> Change:
    """Other sources to learn from as well."""
    _check_mixing(dataset, mixing)
    return _change(dataset, replace(dataset.source, mixing=mixing))


def skip(dataset: Dataset, check: str, *, is_skipped: bool) -> Source:
    """A finding left as it is, or looked at again."""
    if not check or all(one.check != check for one in merge_findings(dataset.source)):
        raise UserError(
            title="This finding is not there any more",
            detail="Nothing was found by this check in the rows as they are now.",
            fix="Look at the findings again.",
            status=404,
        )
    others = tuple(one for one in dataset.source.skipped if one != check)
    return replace(dataset.source, skipped=(*others, check) if is_skipped else others)


def reread(source: Source, choices: Sequence[tuple[str, str]]) -> Source:
    """Another reading of the originals. What was chosen before stays, unless chosen anew.

    An empty value means that this is to be found out again.
    """
    chosen = {**dict(source.choices), **dict(choices)}
    wanted = tuple((name, value) for name, value in chosen.items() if value)
    return replace(source, rereading=wanted, problem=None, attempts=0)


def not_mapped() -> UserError:
    """What is told before anybody has said yes to a finished example."""
    return UserError(
        title="The columns are not chosen yet",
        detail="Nobody has said yes to a finished example.",
        fix="Open the Data page and confirm the example.",
        status=409,
    )


def _change(
    dataset: Dataset,
    wanted: Source,
    *,
    mapping: Mapping | None = None,
    operation: Operation | None = None,
) -> Change:
    chosen = mapping or dataset.mapped.mapping
    return Change(
        wanted=wanted,
        mapping=chosen,
        files=file_names(dataset.owner, wanted),
        mixed=_find_mixed(dataset, wanted.mixing, chosen),
        operation=operation,
    )


def _find_mixed(dataset: Dataset, mixing: Mixing, mapping: Mapping) -> tuple[MixedSet, ...]:
    """The datasets that are mixed in, as they lie on disk now."""
    found = []
    for part in mixing.parts:
        folder = SetFolder(dataset.owner.set(part.dataset_id))
        source = folder.load()
        if source.mapped is None:
            raise UserError(
                title="A dataset of the mix is not ready",
                detail=f"Nobody has said yes to a finished example of “{source.title}”.",
                fix="Open it on the Data page and confirm its example, then mix it in.",
                status=409,
            )
        shape = source.mapped.mapping.shape
        other = MixedSet(
            id=source.id,
            title=source.title,
            path=str(folder.mapped(source.version)),
            weight=part.weight,
            has_turns=shape == "chat",
        )
        check_mixable(mapping.shape, other, shape)
        found.append(other)
    if mixing.general_share:
        check_mixable(mapping.shape, GENERAL, "question_answer")
    return tuple(found)


def _check_mixing(dataset: Dataset, mixing: Mixing) -> None:
    ids = [part.dataset_id for part in mixing.parts]
    if dataset.source.id in ids or len(set(ids)) < len(ids):
        raise UserError(
            title="A dataset can be in the mix only once",
            detail="No row is learned twice, so naming a dataset again would change nothing.",
            fix="Name each other dataset once, and give it more weight instead.",
        )
    if any(not 0 < part.weight <= WEIGHT_MOST for part in mixing.parts):
        raise UserError(
            title="This weight cannot be used",
            detail=f"A weight is more than 0 and at most {WEIGHT_MOST:.0f}; 1 gives as many rows "
            "as the dataset itself.",
            fix="Choose a weight in between.",
        )
    if not 0 <= mixing.general_share <= GENERAL_SHARE_MOST:
        raise UserError(
            title="This share cannot be used",
            detail=f"General questions may be 0 to {GENERAL_SHARE_MOST:.0%} of all rows.",
            fix="Choose a share in between.",
        )
