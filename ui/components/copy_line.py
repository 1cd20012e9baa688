"""Text to take along, with a button that copies it.

The clipboard is closed to pages that are not served over a safe address, which a home network is
not; then the text is selected and copied the old way.
"""

from typing import Any, Final

import gradio as gr

from tailor.ui.views.html import NOTHING, Html

COPY: Final = """
element.addEventListener('click', async event => {
  const button = event.target.closest('button[data-copy]');
  if (!button) { return; }
  const source = element.querySelector(`#${button.dataset.copy}`);
  const told = button.querySelector('span');
  const before = told.textContent;
  try {
    await navigator.clipboard.writeText(source.textContent);
  } catch (refused) {
    const range = document.createRange(), chosen = getSelection();
    range.selectNodeContents(source);
    chosen.removeAllRanges();
    chosen.addRange(range);
    document.execCommand('copy');
  }
  told.textContent = button.dataset.done;
  setTimeout(() => { told.textContent = before; }, 1600);
});
"""


def copy_html(value: Html = NOTHING, **props: Any) -> gr.HTML:
    """Markup from `views.copy_block`; its buttons copy."""
    return gr.HTML(value, js_on_load=COPY, apply_default_css=False, **props)
