"""All deals of the short packs, and random ones among them."""

from collections import Counter
from math import factorial

import numpy as np
import pytest

from kloepper_env import Batch, State
from kloepper_env.errors import ConfigError
from kloepper_env.games.kloepper.deals import all_deals


@pytest.mark.parametrize(("pack", "n"), [(8, 2_520), (12, 369_600)])
def test_every_deal_is_there_once(pack: int, n: int) -> None:
    hands = all_deals({"pack": pack}, dealer=2)
    assert len(hands) == n == factorial(pack) // factorial(pack // 4) ** 4
    dealt = hands["hands"].astype(np.int64)
    assert len(np.unique(dealt, axis=0)) == n
    assert (np.bitwise_count(dealt) == pack // 4).all()
    assert len(np.unique(np.bitwise_or.reduce(dealt, axis=1))) == 1
    assert set(hands["dealer"].tolist()) == {2}


def test_a_deal_is_the_hand_of_its_deck() -> None:
    hands = all_deals({"pack": 8, "prompt_all": True}, dealer=1)
    for number in range(0, len(hands), 97):
        listed = State(*_made_of(hands[number : number + 1]))
        dealt = State.deal(rules={"pack": 8, "prompt_all": True}, deck=listed.deck(), dealer=1)
        for field in listed.game.dtype.names or ():
            if field not in ("key", "serial", "random"):
                np.testing.assert_array_equal(listed.hand[field], dealt.hand[field], field)


def _made_of(hands: np.ndarray) -> tuple:  # type: ignore[type-arg]
    deal = State.deal(rules={"pack": 8, "prompt_all": True})
    return deal.game, deal.options, hands.copy()


def test_random_deals_of_eight_cards_are_all_as_likely() -> None:
    """Chi-squared of 50,400 random deals over the 2,520 there are, 20 expected of each."""
    hands = Batch(n=50_400, seed=4, rules={"pack": 8}).hands
    counts = Counter(map(bytes, hands["hands"]))
    assert len(counts) == 2_520
    excess = sum((count - 20) ** 2 / 20 for count in counts.values()) - 2_519
    assert abs(excess) < 5 * (2 * 2_519) ** 0.5


def test_the_full_pack_is_refused() -> None:
    with pytest.raises(
        ConfigError, match=r"option pack is 24, but .* there would be 2,308,743,493"
    ):
        all_deals({})
    with pytest.raises(ConfigError, match="dealer is 4"):
        all_deals({"pack": 8}, dealer=4)
