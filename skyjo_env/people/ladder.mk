# The ladder of Skyjo. Rollouts are too slow for larger tables, where twelve agents sit in 220 and 495 combinations.
SKYJO_REFERENCE := threshold:t=2,columns=true
SKYJO_AGENTS := random naive threshold:t=2 $(SKYJO_REFERENCE) expected hurried collector cautious copycat tempo policy lookahead
SKYJO_SEARCH := "rollout:base=($(SKYJO_REFERENCE)),n=100" rollout:n=100
SKYJO_TOURNAMENT := $(BIN)/skyjo tournament $(SKYJO_AGENTS)
SKYJO_COUNTED := --luck --seed 1 --anchor $(SKYJO_REFERENCE)
ladder-skyjo:
	$(SKYJO_TOURNAMENT) $(SKYJO_SEARCH) --deals 1000 --slow-deals 20 $(SKYJO_COUNTED) --store $(LADDERS)/2
	$(SKYJO_TOURNAMENT) --players 3 --deals 80 $(SKYJO_COUNTED) --store $(LADDERS)/3
	$(SKYJO_TOURNAMENT) --players 4 --deals 25 $(SKYJO_COUNTED) --store $(LADDERS)/4
	$(BIN)/skyjo report $(LADDERS)/2 $(LADDERS)/3 $(LADDERS)/4 --anchor $(SKYJO_REFERENCE) --out $(LADDERS)/report.html --summary $(LADDERS)/skyjo.md --ladder skyjo_env/people/ladder.json
