"""What measuring needs of Skyjo.

`tables` are the tables at which agents are asked for their decisions; `deal_results` holds what is noted of each deal;
`luck_terms` computes the luck of a round, and `board_costs` what a board costs by columns, for the luck and for
scripted players; `replaying` plays stored actions again; `jit` compiles all of these.
"""
