"""Which files are a program's sources, and in which language, by the end of their names.

Source files have no marks at their start, so here a name is all there is. `sources` reads what is
listed here; a language that is missing only means that its files are not read.
"""

from pathlib import PurePosixPath

_SUFFIXES = {
    "Ada": "adb ads", "Assembly": "asm s", "Astro": "astro", "C": "c h",
    "C#": "cs", "C++": "cc cpp cxx hh hpp hxx ino", "CSS": "css less sass scss",
    "Clojure": "clj cljc cljs", "COBOL": "cbl cob", "CUDA": "cu cuh", "Cython": "pxd pyx",
    "D": "d", "Dart": "dart", "Elixir": "ex exs", "Elm": "elm", "Erlang": "erl hrl",
    "F#": "fs fsx", "Fortran": "f f03 f08 f77 f90 f95 for", "GLSL": "frag glsl vert",
    "Go": "go", "Groovy": "gradle groovy", "HTML": "htm html", "Haskell": "hs",
    "Java": "java", "JavaScript": "cjs js jsx mjs", "Julia": "jl", "Kotlin": "kt kts",
    "Lisp": "el lisp lsp scm", "Lua": "lua", "MATLAB": "m", "Nim": "nim", "Nix": "nix",
    "OCaml": "ml mli", "Objective-C": "mm", "PHP": "php", "Pascal": "dpr pas", "Perl": "pl pm",
    "PowerShell": "ps1 psm1", "Prolog": "pro", "Protocol Buffers": "proto", "Python": "py pyi pyw",
    "R": "r", "Ruby": "rake rb", "Rust": "rs", "SQL": "sql", "Scala": "sc scala",
    "Shell": "bash fish sh zsh", "Solidity": "sol", "Svelte": "svelte", "Swift": "swift",
    "Tcl": "tcl", "Terraform": "tf", "TypeScript": "cts mts ts tsx", "VHDL": "vhd vhdl",
    "Verilog": "sv v", "Visual Basic": "bas vb vba", "Vue": "vue", "Zig": "zig",
}  # fmt: skip
_LANGUAGES = {
    suffix: language for language, suffixes in _SUFFIXES.items() for suffix in suffixes.split()
}
_WHOLE_NAMES = {"makefile": "Make", "dockerfile": "Docker", "cmakelists.txt": "CMake"}


def find_language(path: str) -> str:
    """The language of a source file; empty when it is none."""
    name = PurePosixPath(path).name.lower()
    return _WHOLE_NAMES.get(name) or _LANGUAGES.get(PurePosixPath(name).suffix[1:], "")
