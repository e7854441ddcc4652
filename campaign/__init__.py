"""The standing campaign: the same questions asked again and again with other random numbers, for minutes or for nights.

`make fuzz` runs it. Each part (`campaign.parts`) works in numbered batches; everything in a batch follows from its
number and the seed, so each can be repeated. Totals add up from run to run. Nothing here belongs to the product.
"""
