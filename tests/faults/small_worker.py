"""A real worker without torch: same files, same exit codes, same locks, quick steps.

Faults of the engine and the shim do not depend on what is trained, so their tests use this one.
What it does is asked for by the run's knobs: steps, step_seconds, save_every, crash, crash_at,
hold_at, slow_start, deaf_to. Held at a step, its first attempt goes on when the test lets it go or
the engine asks it to stop, so a fault meets it at that step on any machine.
"""

import hashlib
import json
import os
import sys
import time
from pathlib import Path

RUN_DIR = Path(sys.argv[1])
ATTEMPT = int(sys.argv[2])


def main() -> int:
    frozen = json.loads((RUN_DIR / "run.json").read_bytes())
    knobs = dict(frozen["spec"]["knobs"])
    attempt_dir = RUN_DIR / "attempts" / f"{ATTEMPT:03d}"
    resume_from = json.loads((attempt_dir / "attempt.json").read_bytes())["resume_from"]
    pen = Pen()
    with (RUN_DIR / "workers.txt").open("a") as file:
        file.write(f"{ATTEMPT} {os.getpid()}\n")
    sys.stdout.write(f"worker of attempt {ATTEMPT} goes on from {resume_from or 'the start'}\n")
    sys.stdout.flush()
    if knobs.get("crash") == "at_start":
        raise_crash(attempt_dir, "ImportError", "No module named 'torchvision'")
    pen.tell("phase", name="load", words="Loading the model.")
    time.sleep(float(knobs.get("slow_start", "0")))
    state = read_state(resume_from)
    pen.tell("phase", name="train", words="Training.")
    return train(knobs, frozen["plan"]["steps"], attempt_dir, pen, state)


def train(knobs, steps, attempt_dir, pen, state) -> int:
    step_seconds = float(knobs.get("step_seconds", "0.02"))
    save_every = int(knobs.get("save_every", "5"))
    while state["step"] < steps:
        time.sleep(step_seconds)
        state = {"step": state["step"] + 1, "sum": state["sum"] * 31 % 1_000_003 + state["step"]}
        step = state["step"]
        pen.tell("metric", step=step, epoch=0.0, values=[["loss/train", 1.0 / step]])
        (attempt_dir / "training").touch()
        if ATTEMPT == 1 and step == int(knobs.get("crash_at", "0")):
            crash(knobs["crash"], attempt_dir)
        stop = RUN_DIR / "control" / "stop"
        if ATTEMPT == 1 and step == int(knobs.get("hold_at", "0")):
            hold(stop)
        mode = json.loads(stop.read_bytes())["mode"] if stop.exists() else "none"
        if mode not in ("none", *knobs.get("deaf_to", "").split()):
            if mode == "keep":
                save(state, "stop", pen)
                pen.tell("ended", outcome="stopped", step=step, words="Stopped.")
                return 85
            pen.tell("ended", outcome="stopped", step=step, words="Stopped.")
            return 86
        if step % save_every == 0:
            save(state, "periodic", pen)
    return finish(state, pen)


def hold(stop: Path) -> None:
    while not stop.exists() and not (RUN_DIR / "let go").exists():
        time.sleep(0.01)


def finish(state, pen) -> int:
    pen.tell("phase", name="prove", words="Checking the saved model.")
    final = RUN_DIR / "final"
    final.mkdir(exist_ok=True)
    (final / "state.json").write_text(json.dumps(state))
    pen.tell(
        "proof", answers_changed=3, answers=4, max_difference_from_memory=0.0,
        max_difference_from_base=1.0, score_before=10.0, score_after=60.0,
        held_out_before=2.0, held_out_after=1.0,
    )  # fmt: skip
    pen.tell("measured", peak_bytes=1000, seconds=1.0, train_seconds=1.0, tokens=100)
    pen.tell("ended", outcome="succeeded", step=state["step"], words="Done.")
    return 0


def crash(how: str, attempt_dir: Path) -> None:
    if how == "memory":
        raise_crash(attempt_dir, "RuntimeError", "DefaultCPUAllocator: can't allocate memory: 1 GB")
    if how == "user_error":
        crash_file = {
            "schema": 1, "type": "UserError", "text": "", "is_user_error": True,
            "title": "The rows changed", "detail": "Their hash is another one.", "fix": "Check them.",
        }  # fmt: skip
        (attempt_dir / "error.json").write_text(json.dumps(crash_file))
        sys.exit(1)
    if how == "silent":
        os._exit(0)
    if how == "torn":
        with (RUN_DIR / "events.jsonl").open("ab") as file:
            file.write(b'{"kind":"metric","stamp":{"se')
        os.kill(os.getpid(), 9)
    os.kill(os.getpid(), int(how))


def raise_crash(attempt_dir: Path, kind: str, text: str) -> None:
    (attempt_dir / "error.json").write_text(
        json.dumps({"schema": 1, "type": kind, "text": text, "is_user_error": False})
    )
    sys.exit(1)


def read_state(resume_from: str) -> dict[str, int]:
    if not resume_from:
        return {"step": 0, "sum": 1}
    return json.loads((RUN_DIR / "checkpoints" / resume_from / "state.json").read_bytes())


def save(state, why: str, pen: "Pen") -> None:
    staging = RUN_DIR / "checkpoints" / f".tmp-{ATTEMPT:03d}"
    staging.mkdir(exist_ok=True)
    data = json.dumps(state).encode()
    (staging / "state.json").write_bytes(data)
    listed = {"name": "state.json", "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    manifest = {
        "schema": 1, "run_id": RUN_DIR.name, "attempt": ATTEMPT, "step": state["step"], "why": why,
        "held_out_loss": None, "is_finite": True, "files": [listed],
    }  # fmt: skip
    (staging / "MANIFEST.json").write_text(json.dumps(manifest))
    sealed = RUN_DIR / "checkpoints" / f"step-{state['step']:08d}"
    if not sealed.exists():
        staging.rename(sealed)
    pen.tell("checkpoint", step=state["step"], why=why, bytes=len(data), seconds=0.01)


class Pen:
    """Appends events; repairs a torn last line first."""

    def __init__(self) -> None:
        self.path = RUN_DIR / "events.jsonl"
        told = self.path.read_bytes() if self.path.exists() else b""
        self.seq = 0
        for line in told.split(b"\n"):
            try:
                self.seq = max(self.seq, json.loads(line)["stamp"]["seq"])
            except ValueError:
                continue
        if told and not told.endswith(b"\n"):
            with self.path.open("ab") as file:
                file.write(b"\n")

    def tell(self, kind: str, **fields: object) -> None:
        self.seq += 1
        stamp = {"seq": self.seq, "attempt": ATTEMPT, "at": time.time(), "mono": time.monotonic()}
        with self.path.open("ab") as file:
            file.write(json.dumps({"kind": kind, "stamp": stamp, **fields}).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main())
