"""The API describes itself: every verb is listed in words, and the page loads nothing from elsewhere."""

import httpx


def test_the_description_lists_every_verb_of_the_client(raw: httpx.Client) -> None:
    described = raw.get("/v1/openapi.json").json()["paths"]
    verbs = {f"{verb.upper()} {path}" for path, found in described.items() for verb in found}

    assert verbs == {
        "POST /v1/runs",
        "GET /v1/runs",
        "POST /v1/preflight",
        "GET /v1/runs/{run_id}",
        "DELETE /v1/runs/{run_id}",
        "GET /v1/runs/{run_id}/bytes",
        "GET /v1/runs/{run_id}/events",
        "GET /v1/runs/{run_id}/diary",
        "GET /v1/runs/{run_id}/series",
        "GET /v1/runs/{run_id}/log",
        "POST /v1/runs/{run_id}/stop",
        "POST /v1/runs/{run_id}/resume",
        "POST /v1/runs/{run_id}/answer",
        "POST /v1/runs/{run_id}/export",
        "GET /v1/runs/{run_id}/exports",
        "GET /v1/drafts",
        "GET /v1/drafts/{draft_id}",
        "PUT /v1/drafts/{draft_id}",
        "DELETE /v1/drafts/{draft_id}",
        "POST /v1/files",
        "POST /v1/datasets",
        "POST /v1/datasets/example",
        "GET /v1/datasets/{dataset_id}",
        "GET /v1/datasets/{dataset_id}/rows",
        "POST /v1/datasets/{dataset_id}/preview",
        "POST /v1/datasets/{dataset_id}/mapping",
        "POST /v1/datasets/{dataset_id}/reread",
        "POST /v1/datasets/{dataset_id}/fixes",
        "POST /v1/datasets/{dataset_id}/undo",
        "POST /v1/datasets/{dataset_id}/skips",
        "POST /v1/datasets/{dataset_id}/checks",
        "POST /v1/datasets/{dataset_id}/mixing",
        "POST /v1/datasets/{dataset_id}/render",
        "GET /v1/models",
        "POST /v1/models",
        "GET /v1/jobs",
        "GET /v1/jobs/{job_id}",
        "GET /v1/devices",
        "GET /v1/health",
        "GET /v1/calibration",
        "GET /v1/calibration/runs",
        "GET /v1/settings",
        "PUT /v1/settings",
        "POST /v1/trace",
        "POST /v1/trace/warm",
        "POST /v1/engine/stop",
    }
    assert all(about["description"] for found in described.values() for about in found.values())


def test_the_docs_page_loads_nothing_from_elsewhere(raw: httpx.Client) -> None:
    page = raw.get("/v1/docs").text

    assert "/v1/runs/{run_id}/series" in page
    assert "http://" not in page
    assert "https://" not in page
    assert "<script" not in page
