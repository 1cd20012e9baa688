"""Maintenance notes into a short form: the desk job that the demo teaches.

300 notes as people scribble them in a made-up plant, each with the line that its planner would
type. They were written by hand for this example. The form is `asset | fault | priority | action`:

- asset: kind and number of the machine that has the fault (P pump, CV conveyor, FN fan, MX mixer,
  CP compressor, BL boiler, VL valve, PK packer, CH chiller), however the note spells it;
- fault: leak, noise, heat, jam, power, flow, wear or sensor;
- priority: high when the machine stands still or is dangerous, med when it works and must be mended
  soon, low when it can wait for a planned stop;
- action: replace, clean, check, adjust, grease or reset, as the note asks.

Why this one: the untouched starter model gets none of ten right (it rewrites the note instead), and
a few minutes on two processor cores bring it to about seven. Right means right in all four parts.
"""

from pathlib import Path

from tailor.recipes.examples.example import Example

EXAMPLE = Example(
    id="maintenance",
    title="Maintenance notes into a short form",
    words="300 notes from a made-up plant, each with the short line that its planner would type.",
    goal="format",
    wish="Turn our maintenance notes into the line that goes into the plan.",
    path=Path(__file__).with_name("maintenance.csv"),
    question="note",
    answer="entry",
    instruction="Turn the note into: asset | fault | priority | action",
)
