"""The chart of plans: memory against time, with the free line; pressing a point sends its plan.

Drawn by the library that the live chart uses, from our own route, in the page's own colours. The
table beside it holds the same plans for whoever uses no mouse. A function, no subclass: Gradio
writes a stub file beside each class of component.
"""

from typing import Any, Final

import gradio as gr

from tailor.ui.components.live_chart import PLOTLY
from tailor.ui.text_compare import ChartText
from tailor.ui.views.plan_points import PlanChartValue

TEMPLATE: Final = """
<figure class="chart-figure plan-chart">
  <div class="chart-plot" role="img"></div>
  <figcaption class="chart-sentence"></figcaption>
</figure>"""

DRAW: Final = """
const plot = element.querySelector('.chart-plot');
const sentence = element.querySelector('.chart-sentence');
const css = name => getComputedStyle(element).getPropertyValue(name).trim();
const safe = words => words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const wrap = words => safe(words).split('\\n').map(line =>
  line.replace(/(.{1,52})(\\s+|$)/g, '$1<br>').replace(/(<br>)+$/, '')).join('<br>');
const bars = (points, axis, color) => ({type: 'data', symmetric: false, thickness: 1, width: 0,
  color, array: points.map(one => one[axis + '_more']),
  arrayminus: points.map(one => one[axis + '_less'])});
const dots = (points, color, size, extra) => ({type: 'scatter', mode: 'markers',
  x: points.map(one => one.x), y: points.map(one => one.y), showlegend: false,
  customdata: points.map(one => one.sent), text: points.map(one => wrap(one.words)),
  hovertemplate: '%{text}<extra></extra>', error_x: bars(points, 'x', color),
  error_y: bars(points, 'y', color),
  marker: {symbol: points.map(one => one.shape), size, color, ...extra}});
const traces = value => {
  const best = value.points.filter(one => one.is_best);
  const rest = value.points.filter(one => !one.is_best);
  const mine = value.points.filter(one => one.is_chosen);
  const joined = [...best].sort((a, b) => a.x - b.x);
  return [
    {type: 'scatter', mode: 'lines', x: joined.map(one => one.x), y: joined.map(one => one.y),
      line: {color: css('--thread'), width: 2}, hoverinfo: 'skip', showlegend: false},
    dots(rest, css('--ink-quiet'), 10, {opacity: 0.55}),
    dots(best, css('--thread'), 12, {}),
    {type: 'scatter', mode: 'markers', x: mine.map(one => one.x), y: mine.map(one => one.y),
      hoverinfo: 'skip', showlegend: false, cliponaxis: false,
      marker: {size: 20, color: 'rgba(0,0,0,0)', symbol: 'circle-open',
        line: {color: css('--ink'), width: 2}}},
    ...value.shapes.map(([symbol, name]) => ({type: 'scatter', mode: 'markers', x: [null],
      y: [null], name, marker: {symbol, size: 10, color: css('--ink-quiet')}})),
  ];
};
const axis = words => ({title: {text: words, font: {size: 13}, standoff: 8}, zeroline: false,
  color: css('--ink-quiet'), gridcolor: css('--chalk'), linecolor: css('--chalk')});
const layout = value => {
  const most = Math.max(...value.points.map(one => one.x + one.x_more));
  const isNear = value.free.x < most * 1.6;
  const right = Math.max(most, isNear ? value.free.x : 0) * 1.06;
  const upright = {type: 'line', x0: value.free.x, x1: value.free.x, yref: 'paper', y0: 0, y1: 1,
    line: {color: css('--ink'), width: 2}};
  const isLeft = isNear && value.free.x < right * 0.45;
  const told = {x: isNear ? value.free.x : right, xanchor: isLeft ? 'left' : 'right', y: 1,
    yref: 'paper', yanchor: 'top', xshift: isLeft ? 6 : -6, showarrow: false,
    text: safe(value.free.words), bgcolor: css('--panel'),
    font: {color: css('--ink'), size: 12}};
  const height = one => value.ticks.length ? Math.log10(one.y) : one.y;
  const yours = value.points.filter(one => one.is_chosen).map(one => ({x: one.x, y: height(one),
    ax: one.x > right / 2 ? -56 : 56, ay: -30, text: safe(value.yours), bgcolor: css('--panel'),
    arrowcolor: css('--ink'), arrowwidth: 1, arrowhead: 0, standoff: 10, borderpad: 2,
    font: {color: css('--ink'), size: 13}}));
  const left = value.ticks.length ? 84 : 54;
  return {height: 340, margin: {t: 44, r: 14, b: 46, l: left}, hovermode: 'closest',
    paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)', dragmode: false,
    font: {color: css('--ink'), family: getComputedStyle(element).fontFamily, size: 13},
    hoverlabel: {bgcolor: css('--panel'), bordercolor: css('--chalk'), align: 'left',
      font: {color: css('--ink')}},
    legend: {orientation: 'h', x: 0, y: 1.02, xanchor: 'left', yanchor: 'bottom',
      itemclick: false, itemdoubleclick: false},
    xaxis: {...axis(value.x), showgrid: false, showline: true, range: [0, right],
      fixedrange: true}, yaxis: {...axis(value.y), fixedrange: true, ...(value.ticks.length
      ? {type: 'log', tickvals: value.ticks.map(one => one[0]),
        ticktext: value.ticks.map(one => one[1])}
      : {type: 'linear', rangemode: 'tozero', tickvals: null, ticktext: null})},
    shapes: isNear ? [upright] : [], annotations: [told, ...yours]};
};
const options = {displaylogo: false, displayModeBar: false};
let isListening = false;
const draw = () => {
  const value = props.value;
  if (!value || !value.points || !window.Plotly || !plot.offsetWidth) { return; }
  sentence.textContent = value.sentence;
  plot.setAttribute('aria-label', value.label);
  Plotly.react(plot, traces(value), layout(value), options);
  if (!isListening) {
    isListening = true;
    plot.on('plotly_click', ({points}) => {
      if (points[0].customdata) { trigger('click', {sent: points[0].customdata}); }
    });
  }
};
draw();
watch('value', draw);
const wait = setInterval(() => { if (window.Plotly) { clearInterval(wait); draw(); } }, 100);
new ResizeObserver(() => { if (plot.offsetWidth) { draw(); } }).observe(plot);
const look = new MutationObserver(() => {
  if (element.isConnected) { draw(); } else { look.disconnect(); }
});
const places = {attributes: true, attributeFilter: ['class', 'data-theme']};
look.observe(document.body, places);
look.observe(document.documentElement, places);
"""


def plan_chart(value: PlanChartValue | None = None, **props: Any) -> gr.HTML:
    """A chart whose value is made by `views.plan_points.chart_value`."""
    return gr.HTML(
        value,
        html_template=TEMPLATE,
        js_on_load=DRAW,
        head=f'<script src="{PLOTLY}"></script>',
        apply_default_css=False,
        label=ChartText.LABEL,
        **props,
    )
