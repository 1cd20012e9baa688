"""Whether a text is program code, and a text without the code in it.

Braces, tags and capital letters in angle brackets mean something else in code than in a letter, so
checks that look for them leave code alone.
"""

import re

_FENCED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_SIGNS = re.compile(
    r"""^\s*(?:def|class|function|public|private|static|void|import|from|package|using|func|fn|let
        |const|var|SELECT|INSERT\s+INTO|UPDATE|CREATE\s+TABLE|\#include|<\?php|<!DOCTYPE|\#!/)\b
      | ;\s*$ | ^\s*\}\s*$ | \{%\s | =>\s*[{(] | ^\s*(?:return|elif|else:)\b | ^\s*//""",
    re.MULTILINE | re.VERBOSE,
)
_FIRST_CHARACTERS = 2_000
_SIGNS_LEAST = 2


def is_code(text: str) -> bool:
    """Whether the text as a whole looks like code."""
    return len(_SIGNS.findall(text[:_FIRST_CHARACTERS])) >= _SIGNS_LEAST


def without_code(text: str) -> str:
    """A text without the pieces that are marked as code; empty when it is code as a whole."""
    bare = _FENCED.sub(" ", text) if "`" in text else text
    return "" if is_code(bare) else bare
