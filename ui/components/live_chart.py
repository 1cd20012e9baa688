"""The live chart: a run's curves, redrawn in place so that zoom and focus survive every tick.

`gr.Plot` builds its node anew at each value and forgets the reader's zoom. This keeps one node and
lets the library move the lines. Colours come from the page, so light and dark follow at once. A
function, not a subclass: Gradio writes a stub file beside each class of component.
"""

from typing import Any, Final

import gradio as gr

from tailor.ui.text_run import CurveText
from tailor.ui.views.live_series import ChartValue

PLOTLY: Final = "/assets/plotly.min.js"
"""Served from the wheel by our own route, never from the network."""

TEMPLATE: Final = """
<figure class="chart-figure">
  <div class="chart-plot"></div>
  <div class="chart-waiting" hidden>
    <svg viewBox="0 0 600 200" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path d="M0 199H600M0 130H600M0 65H600" class="rule"/>
      <path d="M8 24C90 120 170 150 300 160S520 172 592 172" class="ghost"/></svg>
    <p></p></div>
  <figcaption class="chart-sentence"></figcaption>
</figure>"""

DRAW: Final = """
const plot = element.querySelector('.chart-plot');
const waiting = element.querySelector('.chart-waiting');
const sentence = element.querySelector('.chart-sentence');
const css = name => getComputedStyle(element).getPropertyValue(name).trim();
const counts = () => ({mode: 'lines+markers', line: {color: css('--thread'), width: 2},
  marker: {size: 5, color: css('--thread')}});
const quiet = () => ({mode: 'lines', line: {color: css('--ink-quiet'), width: 1}, opacity: 0.65});
const trace = line => ({x: line.x, y: line.y, name: line.name, hovertemplate: '%{y:.3f}',
  ...(line.role === 'held_out' ? counts() : quiet())});
const ring = best => ({x: [best.step], y: [best.value], mode: 'markers+text', text: [best.words],
  textposition: 'top center', textfont: {color: css('--ink'), size: 13}, showlegend: false,
  hoverinfo: 'skip', cliponaxis: false,
  marker: {size: 15, color: 'rgba(0,0,0,0)', line: {color: css('--ink'), width: 2}}});
const axis = words => ({title: {text: words, font: {size: 13}, standoff: 8}, zeroline: false,
  color: css('--ink-quiet'), gridcolor: css('--chalk'), linecolor: css('--chalk')});
const small = words => `<span style="font-size:11px">${words}</span>`;
const layout = value => ({uirevision: value.run, height: 320, margin: {t: 34, r: 14, b: 46, l: 54},
  paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', hovermode: 'x unified',
  font: {color: css('--ink'), family: getComputedStyle(element).fontFamily, size: 13},
  hoverlabel: {bgcolor: css('--panel'), bordercolor: css('--chalk'), font: {color: css('--ink')}},
  legend: {orientation: 'h', x: 0, y: 1.02, xanchor: 'left', yanchor: 'bottom'}, dragmode: 'zoom',
  xaxis: {...axis(value.x), showgrid: false, showline: true, tickformat: ',d',
    autorangeoptions: {include: [0, value.x_end]}, rangemode: 'tozero',
    ...(value.x_end < 8 ? {dtick: 1} : {nticks: 8})},
  yaxis: {rangemode: 'tozero', ...axis(`${value.y} ${small(value.y_expert)}`)}});
const options = {displaylogo: false, displayModeBar: false, doubleClick: 'reset'};
const draw = () => {
  const value = props.value;
  if (!value) { return; }
  const empty = value.lines.length === 0;
  sentence.textContent = value.sentence;
  waiting.hidden = !empty;
  waiting.querySelector('p').textContent = value.waiting;
  plot.style.visibility = empty ? 'hidden' : 'visible';
  if (empty || !window.Plotly) { return; }
  const lines = value.lines.map(trace);
  Plotly.react(plot, value.best ? [...lines, ring(value.best)] : lines, layout(value), options);
};
draw();
watch('value', draw);
const wait = setInterval(() => { if (window.Plotly) { clearInterval(wait); draw(); } }, 100);
new ResizeObserver(() => {
  if (plot.offsetWidth && plot.data) { Plotly.Plots.resize(plot); }
}).observe(plot);
const look = new MutationObserver(() => {
  if (element.isConnected) { draw(); } else { look.disconnect(); }
});
const places = {attributes: true, attributeFilter: ['class', 'data-theme']};
look.observe(document.body, places);
look.observe(document.documentElement, places);
"""


def live_chart(value: ChartValue | None = None, **props: Any) -> gr.HTML:
    """A chart whose value is made by `views.live_series.chart_value`."""
    return gr.HTML(
        value,
        html_template=TEMPLATE,
        js_on_load=DRAW,
        head=f'<script src="{PLOTLY}"></script>',
        apply_default_css=False,
        elem_classes="live-chart",
        label=CurveText.Y,
        **props,
    )
