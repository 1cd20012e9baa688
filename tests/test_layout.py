"""The shape of the repository, kept by tests: package list, the `kernels` trap, file sizes, imports."""

import ast
import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOT_PACKAGES = {"tests", "docs", "scripts", "build", "screens", "tailor", "static", "__pycache__"}


def source_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).exists()]


def folders_with_code() -> set[str]:
    found = set()
    for path in source_files():
        parts = path.relative_to(ROOT).parts[:-1]
        if not NOT_PACKAGES.intersection(parts) and not any(part.startswith(".") for part in parts):
            found.add(".".join(("tailor", *parts)))
    return found


def test_the_package_list_names_every_folder_with_code():
    listed = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"][
            "packages"
        ]
    )
    assert folders_with_code() - listed == set()
    assert {name for name in listed if not (ROOT / Path(*name.split(".")[1:])).is_dir()} == set()


def test_kernels_stays_a_namespace_folder():
    assert (ROOT / "kernels").is_dir()
    assert not (ROOT / "kernels" / "__init__.py").exists()


def test_no_bare_kernels_package_is_importable_here():
    spec = importlib.util.find_spec("kernels")
    assert spec is None or "site-packages" in str(spec.origin)


def test_no_bare_kernels_package_is_importable_in_a_child_started_from_the_checkout():
    code = "import importlib.util as u; s = u.find_spec('kernels'); assert s is None or 'site-packages' in str(s.origin), s"
    from tailor.engine.child import child_environment

    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=child_environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_the_command_line_takes_the_checkout_off_the_path():
    done = subprocess.run(
        [sys.executable, "app.py", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "doctor" in done.stdout


def test_source_files_stay_small():
    too_long = {
        str(path.relative_to(ROOT)): lines
        for path in source_files()
        if "tests" not in path.parts and (lines := len(path.read_text("utf-8").splitlines())) > 400
    }
    assert too_long == {}


def test_no_catch_all_module_names():
    banned = {"utils", "util", "common", "manager", "base", "misc", "helpers"}
    assert [str(path) for path in source_files() if path.stem in banned] == []


def test_every_source_file_says_what_it_is():
    silent = [
        str(path.relative_to(ROOT))
        for path in source_files()
        if path.name != "__init__.py"
        and not ast.get_docstring(ast.parse(path.read_text("utf-8")))
        and "tests" not in path.parts
    ]
    assert silent == []


def calls(path: Path) -> set[str]:
    """Dotted names of everything that a file calls."""
    return {
        ast.unparse(node.func)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    }


def test_nothing_runs_a_shell_evaluates_text_or_unpickles():
    banned = {
        "eval",
        "exec",
        "os.system",
        "os.popen",
        "pickle.load",
        "pickle.loads",
        "torch.load",
        "yaml.load",
        "shutil.unpack_archive",
    }
    found = {
        str(path.relative_to(ROOT)): bad
        for path in source_files()
        if "tests" not in path.parts and (bad := calls(path) & banned)
    }
    assert found == {}
    shells = [
        str(path)
        for path in source_files()
        if "tests" not in path.parts
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.keyword) and node.arg == "shell"
    ]
    assert shells == []


def test_kernels_import_torch_and_triton_only():
    allowed = {"torch", "triton", "tailor", "math", "dataclasses", "typing", "collections"}
    for path in (ROOT / "kernels").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                assert {alias.name.split(".")[0] for alias in node.names} <= allowed, path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").split(".")[0] in allowed, path
