"""Markup of ours that asks something: fields and buttons whose answers reach Python in one message.

A screen of data has dozens of questions, most of them hidden at any time; a Gradio component for
each would be made anew at every answer (0.4 ms apiece, measured). Here a button with `data-send`
fires `click`, a field with `data-send` fires `select` when it was changed, and both bring the
values of their whole form along, so that no answer is lost when two changes follow one another
quickly. Pages wire it; views make the markup. Drawn anew it keeps focus, folds, tabs and what is
being typed.
"""

from collections import defaultdict
from typing import Any, Final

import gradio as gr

from tailor.ui.views.html import NOTHING, Html

ASK: Final = """
const host = element.querySelector('.form-panel');
const BUSY_MS = 10000;
let drawn = null, pressedForm = null;
const send = (kind, source) => {
  const form = source.closest('form');
  const fields = form ? [...new FormData(form)].map(([name, value]) => [name, String(value)]) : [];
  trigger(kind, {sent: source.dataset.send, fields});
};
const press = button => {
  if (button.disabled || button.getAttribute('aria-disabled') === 'true') { return; }
  if (host.querySelector('[aria-busy="true"]')) { return; }
  const form = button.closest('form');
  if (form && !form.reportValidity()) { return; }
  button.setAttribute('aria-busy', 'true');
  setTimeout(() => button.removeAttribute('aria-busy'), BUSY_MS);
  pressedForm = form ? form.id : null;
  send('click', button);
};
host.addEventListener('click', event => {
  const button = event.target.closest('button[data-send]');
  if (button) { event.preventDefault(); press(button); }
});
host.addEventListener('submit', event => {
  event.preventDefault();
  const button = event.target.querySelector('button[data-send]');
  if (button) { press(button); }
});
host.addEventListener('change', event => {
  const field = event.target.closest('[data-send]');
  if (field && field.tagName !== 'BUTTON') { send('select', field); }
});
host.addEventListener('input', event => {
  const told = event.target.form?.querySelector(`output[for="${event.target.id}"]`);
  if (told && event.target.id) { told.value = event.target.value + (told.dataset.unit || ''); }
});
const isTyped = field => field.matches('textarea, input:not([type=radio]):not([type=checkbox])')
  && field.value !== field.defaultValue;
const draw = () => {
  if (props.value === drawn) { return; }
  drawn = props.value;
  const folds = new Map([...host.querySelectorAll('details[id]')].map(one => [one.id, one.open]));
  const tabs = [...host.querySelectorAll('.tab-strip input:checked')].map(one => one.id);
  const typed = [...host.querySelectorAll('[id]')].filter(one => one.matches('input, textarea')
    && isTyped(one) && one.closest('form')?.id !== pressedForm).map(one => [one.id, one.value]);
  const at = host.contains(document.activeElement) ? document.activeElement.id : '';
  const rolled = [...host.querySelectorAll('.table-frame')].map(one => one.scrollLeft);
  host.innerHTML = props.value || '';
  const find = id => id ? host.querySelector('#' + CSS.escape(id)) : null;
  folds.forEach((open, id) => { const one = find(id); if (one) { one.open = open; } });
  tabs.forEach(id => { const one = find(id); if (one) { one.checked = true; } });
  typed.forEach(([id, value]) => { const one = find(id); if (one) { one.value = value; } });
  host.querySelectorAll('.table-frame').forEach((one, n) => { one.scrollLeft = rolled[n] || 0; });
  find(at)?.focus({preventScroll: true});
  pressedForm = null;
};
watch('value', draw);
draw();
"""

Answers = dict[str, tuple[str, ...]]
"""Name of a field and its values; a field that takes one has one."""


def form_html(value: Html = NOTHING, **props: Any) -> gr.HTML:
    """`value` is markup from a view, everything from outside escaped.

    A function and no subclass: Gradio writes a stub file beside each class of component.
    """
    return gr.HTML(
        value,
        html_template="<div class='form-panel'></div>",
        js_on_load=ASK,
        apply_default_css=False,
        **props,
    )


def answers(event: gr.EventData) -> Answers:
    """The fields of the form that was sent, by name; what is no pair of texts is left out."""
    found: dict[str, list[str]] = defaultdict(list)
    fields = event._data.get("fields", [])
    for pair in fields if isinstance(fields, list) else ():
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(one, str) for one in pair):
            found[pair[0]].append(pair[1])
    return {name: tuple(values) for name, values in found.items()}
