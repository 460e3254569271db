"""K32: packs of 12 and 8 cards. Most totals near the bounds of its scores cannot come about in
three tricks or two, so they are written into a hand that is over."""

import pytest

from kloepper_env.errors import IllegalActionError, NotationError
from kloepper_env.state import State
from tests.env.rules.table import asked, black_side, passed, seated, whole_hand
from tests.env.rules.test_scores import black_points, shares

TWELVE = ["QC", "QS", "JC", "JD", "AD", "TD", "AC", "TC", "AS", "TS", "AH", "TH"]
EIGHT = ["QC", "QS", "JD", "AD", "AC", "TC", "AH", "TH"]
PACKS = {12: TWELVE, 8: EIGHT}
WHOLE = {12: 94, 8: 61}  # card points of a pack
# Hands in which both sides have a trick
PAIR = {
    12: "1:TD JC TS JD / 2:AS TC TH QC / 1:AD AH AC QS",  # black: 0 and 1
    8: "0:QC AD QS JD / 0:TC AC TH AH",  # black: 0 and 2
}
ALONE = "0:JC JD TC TD / 0:AC AS AH QC / 3:QS TH AD TS"  # seat 3; with 8 cards he wins both tricks


def with_points(state: State, points: int) -> State:
    """A hand that is over, as if the black side had taken so many card points."""
    black, pack = black_side(state), int(state.options.pack)
    counts = int(state.hand.counts) >> 32 << 32  # the tricks
    for side, total in ((black, points), (set(range(4)) - black, WHOLE[pack] - points)):
        counts |= total << 8 * min(side)
    state.hands["counts"] = counts
    return state


def lost(tricks: str, pack: int) -> State:
    """A hand written as its tricks that ends without all tricks for the black side."""
    state = whole_hand(tricks, pack=pack)
    won = {seat for seat, (n, _) in enumerate(state.taken()) if n}
    assert won - black_side(state)
    return state


@pytest.mark.parametrize("pack", [12, 8])
def test_k32_the_cards_of_a_short_pack_are_dealt_in_one_packet(pack: int) -> None:
    size = pack // 4
    deck = list(reversed(PACKS[pack]))
    state = State.deal(rules={"pack": pack}, deck=deck, dealer=1)
    for k, seat in enumerate((2, 3, 0, 1)):
        assert set(state.cards(seat)) == set(deck[size * k : size * (k + 1)])
    assert sorted(state.deck()) == sorted(deck)
    assert State.deal(rules={"pack": pack}, deck=state.deck(), dealer=1).dealt(0) == state.dealt(0)
    for seed in range(20):
        dealt = [State.deal(rules={"pack": pack}, seed=seed).dealt(seat) for seat in range(4)]
        assert {len(hand) for hand in dealt} == {size}
        assert {card for hand in dealt for card in hand} == set(deck)


@pytest.mark.parametrize("pack", [12, 8])
def test_k32_a_hand_has_as_many_tricks_as_cards_and_all_points(pack: int) -> None:
    state = whole_hand(PAIR[pack], pack=pack)
    taken = state.taken()
    assert state.is_over
    assert [sum(column) for column in zip(*taken, strict=True)] == [pack // 4, WHOLE[pack]]


@pytest.mark.parametrize("pack", [12, 8])
def test_k32_rounds_are_those_of_trick_1(pack: int) -> None:
    state = State.deal(rules={"pack": pack, "prompt_all": True}, seed=3)
    for _ in range(5):
        assert sorted(asked(state)) == list("0123")
        state.push(passed(state).legal()[0])
    assert "pass" not in state.legal()


def test_k32_only_an_ace_of_the_pack_can_be_called() -> None:
    eight = seated("QC QS / AC TC / AH TH / JD AD", pack=8)
    assert set(eight.legal()) == {"pass", "knock", "call:C", "call:H"}
    with pytest.raises(IllegalActionError, match="call:S is not legal"):
        eight.push("call:S")
    wording = eight.game.wording
    sentence = "AS is not among the 8 cards of the pack (K32)"
    assert wording.objection(eight.view(0), "call:S") == sentence
    twelve = seated("QC QS TC / AC TS JC / AH TH JD / AS AD TD", pack=12)
    assert set(twelve.legal()) == {"pass", "knock", "call:C", "call:S", "call:H"}


@pytest.mark.parametrize("pack", [12, 8])
def test_k32_all_tricks_are_all_there_are(pack: int) -> None:
    twelve = "3:JD QC JC AC / 0:AH AD TS TH / 1:QS AS TD TC"  # black: 0 and 1
    tricks = {12: twelve, 8: "3:AD QC JD AC / 0:TH QS AH TC"}
    state = whole_hand(tricks[pack], pack=pack)
    assert (black_points(state), state.scores()) == (WHOLE[pack], shares(state, 6))
    knocked = whole_hand(tricks[pack], "0:knock", pack=pack)
    assert knocked.scores() == shares(knocked, 12)
    failed = whole_hand(PAIR[pack], "0:knock", pack=pack)
    assert failed.scores() == shares(failed, -12)


@pytest.mark.parametrize(
    ("pack", "points", "amount"),
    [
        *((12, points, amount) for points, amount in ((94, 4), (24, -4), (23, -6))),
        *((8, points, amount) for points, amount in ((61, 4), (46, 4), (45, 2), (31, 2))),
        *((8, points, amount) for points, amount in ((30, -4), (16, -4), (15, -6))),
    ],
)
def test_k32_half_and_three_quarters_of_the_pack(pack: int, points: int, amount: int) -> None:
    pair = with_points(lost(PAIR[pack], pack), points)
    assert (black_points(pair), pair.scores()) == (points, shares(pair, amount))


@pytest.mark.parametrize(
    ("points", "amount"), [(71, 12), (70, 6), (48, 6), (47, -4), (46, -6), (24, -6), (23, -12)]
)
def test_k32_half_and_three_quarters_alone(points: int, amount: int) -> None:
    state = with_points(lost(ALONE, 12), points)
    assert black_side(state) == {3}
    assert state.scores() == shares(state, amount)


def test_k32_both_black_queens_take_both_tricks_of_eight_cards() -> None:
    state = whole_hand("0:QC AD JD AC / 0:QS TC TH AH", pack=8)
    assert (black_side(state), state.scores()) == ({0}, [18, 0, 0, 0])


@pytest.mark.parametrize(
    ("pack", "deck", "sentence"),
    [
        (
            8,
            TWELVE,
            "'JC' is not a card of this pack: its cards are QC, QS, JD, AD, AC, TC, AH or TH",
        ),
        (8, [*TWELVE, *EIGHT], "the deck has 20 cards instead of 8"),
        (12, EIGHT, "the deck has 8 cards instead of 12: JC, TD, AS, TS missing"),
        (24, EIGHT, "the deck has 8 cards instead of 24: JC, "),
        (8, ["9D", *EIGHT[1:]], "'9D' is not a card of this pack: its cards are QC, QS, JD, "),
    ],
)
def test_k32_a_deck_of_another_pack_is_refused(pack: int, deck: list[str], sentence: str) -> None:
    with pytest.raises(NotationError) as raised:
        State.deal(rules={"pack": pack}, deck=deck)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("points", "amount"), [(48, 2), (47, -2), (46, -4), (71, 4), (70, 2)])
def test_kx23_a_pack_of_12(points: int, amount: int) -> None:
    state = with_points(lost(PAIR[12], 12), points)
    assert (black_points(state), state.scores()) == (points, shares(state, amount))


def test_kx23_70_points_in_two_tricks() -> None:
    state = whole_hand(PAIR[12], pack=12)
    assert black_points(state) == 70
    assert state.scores() == [2, 2, 0, 0]
