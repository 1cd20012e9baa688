"""HTML of ours whose buttons and radio buttons tell Python what was chosen.

Gradio's own radio buttons cannot be cards with facts, and a list of rows with a button each would
need a component a row. Here an element with `data-send` fires `click` when pressed, an input with
`data-send` fires `select` when chosen; the handler reads `sent(event)`. The browser keeps focus and
choice, so nothing is drawn again.
"""

from typing import Any

import gradio as gr

from tailor.ui.views.html import NOTHING, Html

LISTEN = """
element.addEventListener('click', event => {
  const pressed = event.target.closest('button[data-send]');
  if (pressed && element.contains(pressed) && pressed.getAttribute('aria-disabled') !== 'true') {
    trigger('click', {sent: pressed.dataset.send});
  }
});
element.addEventListener('change', event => {
  const chosen = event.target.closest('input[data-send]');
  // All that is chosen goes along: of quick choices only the last one may be answered.
  const marked = [...element.querySelectorAll('input[data-send]:checked')];
  const all = marked.map(one => one.dataset.send);
  if (chosen) { trigger('select', {sent: chosen.dataset.send, all}); }
});
// New markup is laid over the old one, and a button that was pressed keeps what was pressed.
watch('value', () => requestAnimationFrame(() => {
  element.querySelectorAll('input[data-send]').forEach(one => {
    one.checked = one.hasAttribute('checked');
  });
}));
"""


def action_html(value: Html = NOTHING, **props: Any) -> gr.HTML:
    """Markup made by our views, with elements that send a word.

    A function and no subclass: Gradio 6.31 writes a stub file beside the source of every subclass
    of a component (component_meta.py, create_or_modify_pyi).
    """
    return gr.HTML(value, js_on_load=LISTEN, apply_default_css=False, **props)


def sent(event: gr.EventData) -> str:
    """The word that the pressed or chosen element carries."""
    return str(event._data.get("sent", ""))


def sent_all(event: gr.EventData) -> tuple[str, ...]:
    """The words of every element that is chosen in this markup, the one just chosen among them."""
    return tuple(str(word) for word in event._data.get("all", ()))


def show(value: Html = NOTHING, **props: Any) -> gr.HTML:
    """Markup that only shows something."""
    return gr.HTML(value, apply_default_css=False, js_on_load=None, **props)
