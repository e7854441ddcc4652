"""Layers and losses in numpy and compiled code, for networks whose gradients are written by hand.

Torch's overhead on small networks is several times their arithmetic. These layers compute the same without it.
"""
