"""Why a step cannot be followed, in words; the trace then says so and nothing is guessed."""


class CannotTraceError(Exception):
    """This step cannot be followed."""
