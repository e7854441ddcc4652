# The ladder of Skip-Bo.
SKIPBO_REFERENCE := greedy:pile=smallest
SKIPBO_TOURNAMENT := $(BIN)/skipbo tournament random greedy hpvp $(SKIPBO_REFERENCE) planner
SKIPBO_COUNTED := --deals 300 --luck --seed 1 --anchor $(SKIPBO_REFERENCE)
ladder-skipbo:
	$(SKIPBO_TOURNAMENT) policy $(SKIPBO_COUNTED) --store $(LADDERS)/skipbo2
	$(SKIPBO_TOURNAMENT) --players 4 $(SKIPBO_COUNTED) --store $(LADDERS)/skipbo4
	$(BIN)/skipbo report $(LADDERS)/skipbo[24] --anchor $(SKIPBO_REFERENCE) --out $(LADDERS)/skipbo.html --summary $(LADDERS)/skipbo.md --ladder skipbo_env/people/ladder.json
