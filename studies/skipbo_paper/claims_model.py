"""Section 2: the rules, what a player sees, the state, and how many states there are."""

from skipbo_env.kernel.state import COPIES, DECK, MAX_PLAYERS, RANKS, WILDS
from skipbo_env.rules import Rules
from studies.skipbo_paper.claim import (
    CONFIRMED,
    IMPRECISE,
    MEASURED,
    NOT_TESTABLE,
    READ,
    REFUTED,
    Claim,
    Results,
    estimated,
    percent,
    turned,
)

SAID = (162, 144, 18, {2: 30, 3: 30, 4: 30, 5: 20, 6: 20})  # cards, naturals, wild cards, stock pile by players


def model_claims(results: Results) -> list[Claim]:
    """All claims of the section."""
    return [
        deck(),
        sight(results),
        starter(),
        discard(results),
        winner(results),
        state(results),
        seed(results),
        decision_process(),
        bound(results),
        intractable(results),
    ]


def deck() -> Claim:
    """Section 2.1."""
    stocks = {players: Rules(players=players).stock_size for players in range(2, MAX_PLAYERS + 1)}
    found = (DECK, RANKS * COPIES, WILDS, stocks)
    return Claim(
        "2.1",
        "Deck and deal",
        "162 cards: 144 numbered ones and 18 wild cards; stock piles of 30 cards for two to four players, of 20 for "
        "more.",
        CONFIRMED if found == SAID else REFUTED,
        f"As on the manufacturer's sheet, and as played here: {DECK} cards, {WILDS} of them wild.",
        READ,
    )


def sight(results: Results) -> Claim:
    """Section 2.1."""
    (change,) = (each for each in results.document["changes"] if each["rules"] == "view=table")
    weaker, stronger = change["players"]
    return Claim(
        "2.1",
        "What the agent sees",
        "The agent does not see the contents of the other players' stock and discard piles.",
        IMPRECISE,
        "At a table the tops of these piles lie open, and so does every card of a discard pile; the text may mean "
        "only the cards under the tops, or the tops as well. Here it is taken literally (`view=own`). The paper's "
        f"players need no more. `{stronger}` takes {estimated(turned(change['share']))} from `{weaker}` if it sees "
        f"the table, {results.taken(stronger, weaker)} if it does not.",
        MEASURED,
    )


def starter() -> Claim:
    """Section 2.2."""
    return Claim(
        "2.2",
        "Who begins",
        "Play proceeds clockwise from the dealer.",
        IMPRECISE,
        "On the current sheet the youngest player begins, on an older one the player to the dealer's left; the text "
        "can be read as the dealer. It makes no difference once the starter is swapped on every deal.",
        READ,
    )


def discard(results: Results) -> Claim:
    """Section 2.2."""
    passes = {each["player"]: each["passes"] for each in results.alone}
    most = max(passes, key=lambda player: passes[player])
    total = sum(passes.values())
    return Claim(
        "2.2",
        "How a turn ends",
        "A player who cannot or does not want to play must discard exactly one card from hand.",
        IMPRECISE if total > 0 else CONFIRMED,
        "Not with an empty hand: once the draw pile and the completed piles are used up, nothing is left to draw. "
        f"That ended {total:,} turns of the games of players against themselves, {passes[most]:,} of them by `{most}`.",
        MEASURED,
    )


def winner(results: Results) -> Claim:
    """Section 2.2."""
    blocked = [each for each in results.alone if each["blocked"] > 0]
    words = ", ".join(f"`{each['player']}` {each['blocked']:,} of {each['deals']:,}" for each in blocked)
    return Claim(
        "2.2",
        "Every round has a winner",
        "The winner is the first player to play every card in the stock pile; when the draw pile is exhausted, the "
        "completed building piles are reshuffled.",
        REFUTED if blocked else CONFIRMED,
        "The rules do not say what happens when no pile has been completed since. Cards on discard piles never come "
        "back, so players who discard more than they play use up the cards, until nobody can ever move again. Games "
        f"of a player against itself that end so: {words or 'none'}.",
        MEASURED,
    )


def state(results: Results) -> Claim:
    """Section 2.3."""
    held = max(each["choices"]["others_holding"] for each in results.alone)
    return Claim(
        "2.3",
        "What a state is",
        "A state holds the draw pile, each stock pile, the discard piles (top cards visible), the building piles "
        "and the hand of the acting player.",
        REFUTED if held > 0 else CONFIRMED,
        "The other player's hand and the completed cards are missing, so what is listed does not decide what can "
        f"follow. The other player holds cards at up to {percent(held)} of the decisions.",
        MEASURED,
    )


def seed(results: Results) -> Claim:
    """Section 2.3."""
    shares = [each["choices"]["recycled"] for each in results.alone]
    return Claim(
        "2.3",
        "Reproducible by a seed for shuffling",
        "A seed that is fixed at the beginning of each match guarantees reproducibility.",
        IMPRECISE if max(shares) > 0 else CONFIRMED,
        f"Completed piles are shuffled again in up to {percent(max(shares))} of the games, at a moment that depends "
        "on the play. With one stream of random numbers the games of a deal then have different cards. Here every "
        "shuffle has a stream of its own (SKIPBO_RULES 9.4), and the same command gives the same games.",
        MEASURED,
    )


def decision_process() -> Claim:
    """Sections 2.3 and 2.4."""
    return Claim(
        "2.4",
        "A Markov decision process",
        "Skip-Bo can be formalised as a Markov decision process with hidden information.",
        IMPRECISE,
        "With two players whose interests are opposed and who see different cards it is a partially observable "
        "stochastic game; it becomes a decision process (partially observable) once the other player's strategy is "
        "fixed.",
        READ,
    )


def bound(results: Results) -> Claim:
    """Section 2.4."""
    space = results.document["state_space"]
    groups = ", ".join(map(str, space["groups"]))
    return Claim(
        "2.4",
        "The number of states",
        f"The multinomial of {groups} is a coarse lower bound: the ways to distribute 162 cards over two stock "
        "piles, two hands, eight discard piles and up to four building piles.",
        IMPRECISE if space["printed"] <= space["deals"] else REFUTED,
        f"The groups add up to {space['cards']}, but they are not those that are named: there is no group for eight "
        "discard piles, and 84 holds all other cards. It also counts cards of a rank as different and the order "
        f"within piles as nothing. Its value, 10^{space['printed']:.1f}, is below the true number all the same: the "
        f"orders of the deck alone, in which cards of a rank are alike, are 10^{space['deals']:.1f} states, and "
        f"there are at most 10^{space['most']:.1f} (all zones of the table cut from one row of cards, counters of "
        "turns aside).",
        MEASURED,
    )


def intractable(results: Results) -> Claim:
    """Section 2.4."""
    space = results.document["state_space"]
    return Claim(
        "2.4",
        "Solving it is intractable",
        "Solving this process optimally is intractable.",
        NOT_TESTABLE,
        f"That there are more than 10^{int(space['deals'])} states rules out a table of them, but it proves nothing "
        "about other ways.",
        MEASURED,
    )
