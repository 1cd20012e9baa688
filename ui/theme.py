"""Paper, ink and one thread of colour, given to Gradio's own theme variables.

The same roles stand as CSS variables in `static/app.css`, which styles what is ours; this file
brings Gradio's own parts (text boxes, buttons, file fields) to the same palette. System fonts only.
"""

from pathlib import Path
from typing import Final

import gradio as gr

STATIC: Final = Path(__file__).parent / "static"

SYSTEM_FONT: Final = [
    "system-ui", "-apple-system", "Segoe UI", "Roboto", "Helvetica Neue", "Arial", "sans-serif",
]  # fmt: skip
MONO_FONT: Final = ["ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace"]

LIGHT: Final = {
    "paper": "#FBFAF7", "panel": "#FFFFFF", "ink": "#1B2330", "ink_quiet": "#5A6472",
    "chalk": "#E7E3DA", "thread": "#0F6B66", "thread_deep": "#0B5450", "on_thread": "#FFFFFF",
    "well": "#F6F4EE",
}  # fmt: skip
DARK: Final = {
    "paper": "#12161C", "panel": "#1A2029", "ink": "#E9E7E2", "ink_quiet": "#A3ABB6",
    "chalk": "#2C3440", "thread": "#5EC8BC", "thread_deep": "#7AD6CB", "on_thread": "#0C1F1D",
    "well": "#151A22",
}  # fmt: skip

ROLES: Final = {
    "body_background_fill": "paper",
    "body_text_color": "ink",
    "body_text_color_subdued": "ink_quiet",
    "background_fill_primary": "panel",
    "background_fill_secondary": "well",
    "border_color_primary": "chalk",
    "border_color_accent": "thread",
    "color_accent_soft": "well",
    "link_text_color": "thread",
    "link_text_color_hover": "thread_deep",
    "link_text_color_visited": "thread",
    "link_text_color_active": "thread",
    "block_background_fill": "panel",
    "block_border_color": "chalk",
    "block_label_background_fill": "panel",
    "block_label_border_color": "chalk",
    "block_label_text_color": "ink_quiet",
    "block_title_text_color": "ink",
    "block_info_text_color": "ink_quiet",
    "input_background_fill": "panel",
    "input_background_fill_focus": "panel",
    "input_background_fill_hover": "panel",
    "input_border_color": "chalk",
    "input_border_color_focus": "thread",
    "input_border_color_hover": "ink_quiet",
    "input_placeholder_color": "ink_quiet",
    "button_primary_background_fill": "thread",
    "button_primary_background_fill_hover": "thread_deep",
    "button_primary_border_color": "thread",
    "button_primary_border_color_hover": "thread_deep",
    "button_primary_text_color": "on_thread",
    "button_primary_text_color_hover": "on_thread",
    "button_secondary_background_fill": "panel",
    "button_secondary_background_fill_hover": "well",
    "button_secondary_border_color": "chalk",
    "button_secondary_border_color_hover": "ink_quiet",
    "button_secondary_text_color": "ink",
    "button_secondary_text_color_hover": "ink",
    "table_border_color": "chalk",
    "table_even_background_fill": "panel",
    "table_odd_background_fill": "panel",
    "table_text_color": "ink",
    "checkbox_background_color": "panel",
    "checkbox_background_color_selected": "thread",
    "checkbox_border_color": "ink_quiet",
    "checkbox_border_color_selected": "thread",
    "checkbox_label_background_fill": "panel",
    "checkbox_label_background_fill_hover": "well",
    "checkbox_label_background_fill_selected": "well",
    "checkbox_label_border_color": "chalk",
    "checkbox_label_text_color": "ink",
    "checkbox_label_text_color_selected": "ink",
    "code_background_fill": "well",
    "panel_background_fill": "panel",
    "panel_border_color": "chalk",
    "loader_color": "thread",
    "slider_color": "thread",
    "stat_background_fill": "thread",
}
"""Gradio's variable and the role that fills it, in light and dark."""

SHAPES: Final = {
    "block_border_width": "1px",
    "block_radius": "10px",
    "block_shadow": "none",
    "block_padding": "16px",
    "block_label_text_size": "14px",
    "block_title_text_size": "14px",
    "block_title_text_weight": "600",
    "block_title_padding": "0",
    "block_title_background_fill": "transparent",
    "block_title_border_width": "0px",
    "block_title_radius": "0",
    "body_text_size": "16px",
    "input_radius": "8px",
    "input_padding": "11px 12px",
    "input_shadow": "none",
    "input_shadow_focus": "none",
    "input_text_size": "16px",
    "button_large_radius": "8px",
    "button_medium_radius": "8px",
    "button_small_radius": "8px",
    "button_large_text_weight": "600",
    "button_large_text_size": "16px",
    "button_large_padding": "12px 20px",
    "button_primary_shadow": "none",
    "button_primary_shadow_hover": "none",
    "button_primary_shadow_active": "none",
    "button_secondary_shadow": "none",
    "button_secondary_shadow_hover": "none",
    "button_secondary_shadow_active": "none",
    "button_transition": "background-color 120ms ease",
    "layout_gap": "20px",
    "form_gap_width": "0px",
    "container_radius": "10px",
    "table_radius": "10px",
    "prose_text_size": "16px",
}


def build_theme() -> gr.themes.Base:
    """The look of Gradio's own parts."""
    theme = gr.themes.Base(
        primary_hue="teal",
        neutral_hue="stone",
        font=SYSTEM_FONT,
        font_mono=MONO_FONT,
    )
    light = {name: LIGHT[role] for name, role in ROLES.items()}
    dark = {f"{name}_dark": DARK[role] for name, role in ROLES.items()}
    return theme.set(**light, **dark, **SHAPES)


def style_files() -> list[Path]:
    """Our own style sheets: the shared one first, then those of single screens."""
    shared = STATIC / "app.css"
    return [shared, *sorted(path for path in STATIC.glob("*.css") if path != shared)]
