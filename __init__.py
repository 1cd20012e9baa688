"""Tailor fits a language model to a domain expert's own data, on the expert's own machine.

ui         the wizard: asks in plain words, shows the live charts
engine     runs the work and never loses it: API, store, supervisor, trackers, worker
recipes    what can be run: plain data and pure functions
estimator  what a run will cost: arithmetic only
kernels    our GPU kernels, used by the worker alone
app.py     the command line: app, demo, run, status, stop, logs, doctor
"""

__version__ = "0.1.0"
