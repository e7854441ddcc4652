"""The fuzzer: random rules, random play and damaged inputs, for seconds as a test or for hours by `make fuzz`.

`tests.fuzz.rounds` lists its parts. A round follows from its number and the seed, so that it can be repeated.
"""
