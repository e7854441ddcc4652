"""What measuring needs of Skip-Bo.

`tables` are the tables at which agents are asked for their decisions; `deal_results` holds what is noted of each deal;
`luck_terms` computes the luck of a decision's cards; `noting` carries out a decision and notes all of it; `replaying`
plays stored actions again; `jit` compiles all of these.
"""
