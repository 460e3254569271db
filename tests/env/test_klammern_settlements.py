"""The settlements of Klammern in both engines, on results that chance seldom brings.

Half of them are level, for everything that hangs on that: Eiert or litige, the carry, the winner.
"""

import random
from collections import Counter

from tests.env.hands import random_rules
from tests.env.rules.klammern_table import settled
from tests.oracle.klammern_rules import checked_options
from tests.oracle.klammern_scores import Result, augen_of, factor_of, settle


def random_result(rng: random.Random) -> Result:
    """What the takers, team 0, and the defenders may have at the end of a round."""
    tricks = rng.randrange(9)
    melds, belle = [0, 0], [0, 0]
    melds[rng.randrange(2)] = rng.choice((0, 20, 40, 50, 100, 150, 200))
    belle[rng.randrange(2)] = rng.choice((0, 20))
    level = 81 + (melds[1] + belle[1] - melds[0] - belle[0]) // 2
    enough = 82 - melds[0] - belle[0]
    cards = rng.choice((level, level, enough, enough - 1, rng.randrange(163)))
    cards = {0: 0, 8: 162}.get(tricks, min(max(cards, 10), 162))
    said = rng.randrange(3)
    factor = factor_of(said > 0, said > 1)
    return Result(0, [cards, 162 - cards], [tricks, 8 - tricks], melds, belle, factor)


def test_settlements_agree_on_10_000_results() -> None:
    rng, kinds = random.Random(1), Counter[str]()
    for _ in range(10_000):
        rules = random_rules("klammern", rng) | {"tie81": rng.choice(("eiert", "litige"))}
        carry = rng.choice((0, 81, 324)) if rules["tie81"] == "litige" else 0
        result, options = random_result(rng), checked_options(rules)
        state = settled(
            result.cards[0],
            melds=(result.melds[0], result.melds[1]),
            belle="takers" if result.belle[0] else "defenders" if result.belle[1] else "",
            tricks=(result.tricks[0], result.tricks[1]),
            said={1: "", 2: "kontra", 4: "re"}[result.factor],
            carry=carry,
            **rules,
        )
        expected = settle(result, options, carry)
        outcome = state.outcome()
        assert outcome.scores == expected.scores * 2, (result, rules, carry)
        assert outcome.carry == {"litige": expected.carry}, (result, rules, carry)
        augen = augen_of(result, expected, options)
        assert outcome.gains == (augen if options["liga"] else expected.scores), (result, rules)
        kinds[f"{expected.outcome}, won by {expected.winner}"] += 1
        kinds["carry stays"] += carry > 0 and expected.winner is None
        kinds["carry won"] += carry > 0 and expected.winner is not None
    assert len(kinds) == 7
    assert min(kinds.values()) > 100, kinds
