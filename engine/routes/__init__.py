"""The verbs of the engine's API, one file a noun. `api.py` finds every `ROUTER` here by a scan."""
