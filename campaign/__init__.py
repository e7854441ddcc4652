"""The fuzzing campaign: the same checks again and again with other random numbers, for minutes or for nights.

`make fuzz` runs it, and docs/trust.md describes it. Each part (`campaign.parts`) works in numbered batches; a batch
follows from its number and the seed, so it can be repeated. Totals add up from run to run. None of this is installed.
"""
