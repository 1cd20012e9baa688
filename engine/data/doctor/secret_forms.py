"""Keys and passwords by their forms, and a text without them.

A finding about something else may quote a row that holds one, so every example that is told goes
through `hide_secrets`. Used by `checks/secrets` and `telling`.
"""

import re
from collections.abc import Iterator

PASSWORD = "password"
STAND_IN = "[SECRET]"
# What must stand in a text before its pattern is tried, which is seldom: most texts cost nothing.
_FORMS = tuple(
    (mark, name, re.compile(pattern, re.DOTALL))
    for mark, name, pattern in (
        ("_", "Hugging Face token", r"\bhf_[A-Za-z0-9]{20,}"),
        ("_", "GitHub token", r"\b(?:gh[opsur]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})"),
        ("_", "Stripe key", r"\b[rs]k_live_[A-Za-z0-9]{20,}"),
        ("_", "npm token", r"\bnpm_[A-Za-z0-9]{30,}"),
        ("sk-", "API key", r"\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}"),
        ("glpat-", "GitLab token", r"\bglpat-[A-Za-z0-9_-]{18,}"),
        ("xox", "Slack token", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}"),
        ("pypi-", "PyPI token", r"\bpypi-[A-Za-z0-9_-]{30,}"),
        ("KIA", "AWS key", r"\bAKIA[A-Z0-9]{16}\b"),
        ("SIA", "AWS key", r"\bASIA[A-Z0-9]{16}\b"),
        ("AIza", "Google key", r"\bAIza[A-Za-z0-9_-]{35}"),
        ("eyJ", "web token", r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}"),
        ("earer", "bearer token", r"(?<=[Bb]earer )[A-Za-z0-9._~+/-]{20,}=*"),
        (
            "PRIVATE KEY",
            "private key",
            r"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----"
            r"(?:.*?-----END [A-Z ]{0,20}PRIVATE KEY-----|.*)",
        ),
        (
            "://",
            "password in an address",
            r"(?<=://)[^\s/:@\"'<>]{1,64}:[^\s/@\"'<>{}$]{3,64}(?=@[\w.-]+)",
        ),
    )
)
_ASSIGNED = re.compile(
    r"""(?ix)\b(?:password|passwd|passwort|mot\ de\ passe|contraseña|api[_ -]?key|secret[_ -]?key
    |access[_ -]?token|auth[_ -]?token|client[_ -]?secret)["']?\s*[=:]\s*["']?
    (?P<value>(?=[^\s"']{0,63}[0-9])(?=[^\s"']{0,63}[A-Za-z])[^\s"'<>{}\[\](),;]{8,64})"""
)
_MADE_UP = re.compile(r"(?i)your|example|passw|user|xxx|1234|changeme|test|dummy|sample")
"""Values that books and manuals write where a secret would stand."""
_ASSIGNING = ("password", "passwd", "passwort", "mot de passe", "contrase", "secret", "api key",
    "apikey", "api_key", "api-key", "access_token", "access-token", "access token", "auth_token",
    "auth-token", "auth token", "accesstoken", "authtoken")  # fmt: skip


def find_secrets(text: str) -> Iterator[tuple[int, int, str]]:
    """Begin, end and kind of each secret, in the order of the forms; they may overlap."""
    for mark, name, pattern in _FORMS:
        if mark in text:
            for match in pattern.finditer(text):
                if mark != "://" or not _MADE_UP.search(match[0]):
                    yield match.start(), match.end(), name
    if (":" in text or "=" in text) and _is_assigning(text.lower()):
        for match in _ASSIGNED.finditer(text):
            if not _MADE_UP.search(match["value"]):
                yield match.start("value"), match.end("value"), PASSWORD


def _is_assigning(low: str) -> bool:
    return any(word in low for word in _ASSIGNING)


def hide_secrets(text: str) -> str:
    """The text with a stand-in for each secret."""
    places = sorted((begin, end) for begin, end, _ in find_secrets(text))
    parts, done = [], 0
    for begin, end in places:
        if begin >= done:
            parts += [text[done:begin], STAND_IN]
        done = max(done, end)
    return "".join((*parts, text[done:]))
