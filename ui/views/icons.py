"""The few drawn signs, as inline SVG: 20 px, one line width, in the colour of the text beside.

Inline, because nothing is fetched from anywhere and a sign must follow light and dark. Each stands
beside a word that says the same, so all are hidden from screen readers.
"""

from typing import Final, Literal

from tailor.ui.views.html import Html, own_markup

IconName = Literal[
    "check", "care", "stop", "note", "answer", "form", "tags", "pen", "file", "chip", "clock",
    "plus", "theme", "thread", "cross", "copy", "download", "end", "swap", "picture", "undo",
]  # fmt: skip

PATHS: Final[dict[IconName, str]] = {
    "check": '<path d="M4 10.5l4 4 8-9"/>',
    "care": '<path d="M10 3l7.5 13.5h-15zM10 8v4M10 14.2v.1"/>',
    "stop": '<path d="M7 2.5h6l4.5 4.5v6L13 17.5H7L2.5 13V7zM10 6.5v4.5M10 13.6v.1"/>',
    "note": '<circle cx="10" cy="10" r="7.5"/><path d="M10 9v5M10 6.4v.1"/>',
    "answer": '<path d="M3 4.5h14v9H9l-4 3.5v-3.5H3zM6.5 8h7M6.5 10.5h4.5"/>',
    "form": '<rect x="3.5" y="3" width="13" height="14" rx="1.5"/><path d="M7 7h6M7 10h6M7 13h3"/>',
    "tags": '<path d="M3 3.5h6.5l7.5 7.5-6 6L3 9.5zM6.6 7v.1"/>',
    "pen": '<path d="M4 16l.8-3.6L13.5 3.7l2.8 2.8-8.7 8.7zM11.5 5.7l2.8 2.8"/>',
    "file": '<path d="M5 2.5h6.5L15.5 6.5v11H5zM11.5 2.5v4h4"/>',
    "chip": '<rect x="5" y="5" width="10" height="10" rx="1.5"/>'
    '<path d="M8 2.5V5M12 2.5V5M8 15v2.5M12 15v2.5M2.5 8H5M2.5 12H5M15 8h2.5M15 12h2.5"/>',
    "clock": '<circle cx="10" cy="10" r="7.5"/><path d="M10 5.500V10l3 2"/>',
    "plus": '<path d="M10 4v12M4 10h12"/>',
    "theme": '<circle cx="10" cy="10" r="7"/><path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor"/>',
    "cross": '<path d="M5 5l10 10M15 5L5 15"/>',
    "copy": '<rect x="7" y="7" width="10" height="10" rx="1.5"/><path d="M13 7V3H3v10h4"/>',
    "download": '<path d="M10 3v10M5.500 9L10 13.500 14.500 9M3 16.500h14"/>',
    "end": '<rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor"/>',
    "swap": '<path d="M4 7h11M12 4l3 3-3 3M16 13H5M8 10l-3 3 3 3"/>',
    "picture": '<rect x="3" y="4" width="14" height="12" rx="1.5"/>'
    '<path d="M3.5 14l4-4 3 3 2-2 4 4M12.8 7.5v.1"/>',
    "undo": '<path d="M7 4L3.5 7.5 7 11M4 7.5h8a4.5 4.5 0 0 1 0 9H8"/>',
    "thread": '<path d="M2.5 14c4-8 7 3 10-3 1.5-3 3.5-4 5-3.5"/>',
}


def icon(name: IconName) -> Html:
    """The sign, decorative."""
    return own_markup(
        '<svg class="icon" viewBox="0 0 20 20" width="20" height="20" fill="none" '
        'stroke="currentColor" stroke-width="1.5" stroke-linecap="round" '
        f'stroke-linejoin="round" aria-hidden="true" focusable="false">{PATHS[name]}</svg>'
    )


def wordmark() -> Html:
    """The product's name with a line of running stitch beneath."""
    return own_markup(
        '<span class="wordmark">Tailor<svg viewBox="0 0 72 6" width="72" height="6" fill="none" '
        'aria-hidden="true" focusable="false"><path d="M1 3h70" stroke="currentColor" '
        'stroke-width="2" stroke-dasharray="7 4" stroke-linecap="round"/></svg></span>'
    )
