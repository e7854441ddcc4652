"""The verdicts on all claims of the paper, in its order."""

from studies.skipbo_paper.claim import Claim, Results
from studies.skipbo_paper.claims_evaluation import evaluation_claims
from studies.skipbo_paper.claims_model import model_claims
from studies.skipbo_paper.claims_players import player_claims
from studies.skipbo_paper.claims_rest import other_claims
from studies.skipbo_paper.skipbo_document import SkipboPaperDocument


def claims(document: SkipboPaperDocument) -> list[Claim]:
    """All of them, drawn from everything else in the document."""
    results = Results(document)
    found = [*model_claims(results), *player_claims(results), *evaluation_claims(results), *other_claims(results)]
    return sorted(found, key=lambda claim: [int(number) for number in claim.section.split(".")])
