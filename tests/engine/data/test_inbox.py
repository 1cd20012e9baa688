"""Uploads that broke off are cleared away, and a disk that is too full is told beforehand."""

import os
import shutil
import time
from pathlib import Path

import pytest

from tailor.engine.data.disk import check_room
from tailor.engine.data.inbox import clear_leftovers
from tailor.engine.data.owner import open_owner
from tailor.engine.errors import UserError

OWNER = "ada"


def test_a_broken_off_upload_is_gone_at_the_next_start_and_a_fresh_one_is_not(
    tmp_path: Path,
) -> None:
    inbox = open_owner(tmp_path, OWNER).inbox
    for name, age_seconds in (("old.part", 7_200), ("new.part", 0)):
        (inbox / name).write_text("half")
        at = time.time() - age_seconds
        os.utime(inbox / name, (at, at))
    clear_leftovers(tmp_path, time.time())
    assert [path.name for path in inbox.iterdir()] == ["new.part"]


def test_a_full_disk_is_told_before_reading(tmp_path: Path) -> None:
    with pytest.raises(UserError) as raised:
        check_room(tmp_path, shutil.disk_usage(tmp_path).free)
    assert raised.value.status == 507
    assert "GB are free" in raised.value.detail
