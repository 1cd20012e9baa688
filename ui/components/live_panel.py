"""Markup that is drawn anew while a person reads it, without losing their place.

A plain `gr.HTML` replaces its content at every value: a table jumps back to its first column, an
opened fold closes. This one puts scroll positions and opened folds back; a table that was looked at
from its end (`data-follow="end"`) keeps showing its end as it grows. It is a function, not a
subclass: Gradio writes a stub file beside each class of component that is defined.
"""

from typing import Any, Final

import gradio as gr

from tailor.ui.views.html import NOTHING, Html

REDRAW: Final = """
const host = element.querySelector('.live-panel');
const rollers = () => [...host.querySelectorAll('[tabindex="0"]')];
const moved = new Set();
const follow = () => rollers().forEach((roller, place) => {
  const stays = roller.dataset.follow !== 'end' || moved.has(place);
  if (!stays) { roller.scrollLeft = roller.scrollWidth; }
});
// A scroll counts as the reader's only after the reader touched something: styles that arrive late
// and new content scroll too.
let touched = false;
for (const kind of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
  host.addEventListener(kind, () => { touched = true; }, {capture: true, passive: true});
}
host.addEventListener('scroll', ({target}) => {
  if (!touched) { return; }
  const isAtEnd = target.scrollLeft + target.clientWidth >= target.scrollWidth - 4;
  moved[isAtEnd ? 'delete' : 'add'](rollers().indexOf(target));
}, true);
const sizes = new ResizeObserver(follow);
const draw = () => {
  const open = new Set([...host.querySelectorAll('details[open]')].map(fold => fold.id));
  const places = rollers().map(roller => [roller.scrollLeft, roller.scrollTop]);
  const focused = rollers().indexOf(document.activeElement);
  sizes.disconnect();
  host.innerHTML = props.value || '';
  host.querySelectorAll('details').forEach(fold => { fold.open = open.has(fold.id); });
  rollers().forEach((roller, place) => {
    if (places[place]) { [roller.scrollLeft, roller.scrollTop] = places[place]; }
    if (place === focused) { roller.focus({preventScroll: true}); }
    sizes.observe(roller.firstElementChild);
  });
  follow();
};
watch('value', draw);
draw();
"""


def live_panel(value: Html = NOTHING, **props: Any) -> gr.HTML:
    """`value` is markup from a view, everything from outside escaped."""
    return gr.HTML(
        value,
        html_template="<div class='live-panel'></div>",
        js_on_load=REDRAW,
        apply_default_css=False,
        **props,
    )
