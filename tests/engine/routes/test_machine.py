"""The engine about itself and its computer."""

from pathlib import Path

import pytest
from api_calls import wait_until

from tailor.engine.client import EngineClient
from tailor.engine.errors import UserError


def test_health_tells_version_home_and_tracker(client: EngineClient, home: Path) -> None:
    health = client.health()

    assert health.home == str(home)
    assert wait_until(lambda: client.health().tracker == "aim 3.29.1")


def test_an_unknown_name_is_told_with_the_names_that_there_are(client: EngineClient) -> None:
    with pytest.raises(UserError, match="maintenance") as caught:
        client.add_example("nonsense")

    assert caught.value.status == 422


def test_devices_are_read(client: EngineClient) -> None:
    assert client.devices().cpu_cores >= 1


def test_the_calibration_comes_whole_over_the_wire(client: EngineClient, home: Path) -> None:
    from small_runs import HARDWARE

    from tailor.engine.learned import read_calibration

    told = client.calibration()
    assert told.groups == read_calibration(home, HARDWARE).groups
    assert client.measured_runs() == ()
