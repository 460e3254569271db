"""Klammern's plain rule engine on random rounds: they end, and nothing is lost or invented."""

import random
from collections import Counter
from typing import Any

from .klammern import Klammern
from .klammern_rules import DEFAULTS, PACK, WORDS


def random_rules(luck: random.Random) -> dict[str, Any]:
    """Draw options for a round, half of them at their defaults."""
    rules: dict[str, Any] = {}
    for name, default in DEFAULTS.items():
        if luck.random() < 0.5:
            continue
        if name in WORDS:
            rules[name] = luck.choice(WORDS[name])
        elif isinstance(default, bool):
            rules[name] = luck.choice([True, False])
    rules["durchmarsch_bonus"] = luck.choice([0, 50, 100])
    rules["tie81"] = luck.choice(WORDS["tie81"])  # more often, for a litige is rare
    return rules


def random_deck(luck: random.Random) -> list[str]:
    """Shuffle the pack; every other time only a little, so that there are melds."""
    deck = luck.sample(PACK, 32)
    if luck.random() < 0.5:
        deck = sorted(PACK, key=luck.choice([PACK.index, lambda card: card]))
        for _ in range(6):
            one, other = luck.sample(range(32), 2)
            deck[one], deck[other] = deck[other], deck[one]
    return deck


def check_legal(current: Klammern) -> None:
    """Check what must hold of the legal actions, and of what is public, at any time."""
    legal, seat = current.legal(), current.turn
    assert legal
    assert seat is not None
    for who in range(4):
        assert current.known_cards(who) <= set(current.hands[who])
    if current.step == "playing":
        hand = set(current.hands[seat])
        assert legal <= hand
        led = current.table[0][1][1] if current.table else None
        following = {card for card in hand if card[1] == led}
        assert legal <= following if following else legal == hand or len(current.table) > 0


def check_finished(current: Klammern) -> None:
    """Check what must hold of every played round: cards and points are conserved."""
    cards = [action for _seat, action in current.history if action in PACK]
    assert sorted(cards) == sorted(PACK)
    assert current.hands == [[], [], [], []]
    assert not current.pack
    assert [len(hand) for hand in current.eights] == [8, 8, 8, 8]
    result, done = current.result(), current.settlement()
    assert sum(result.cards) == 162
    assert sum(result.tricks) == 8
    assert 0 in result.melds
    melds = list(result.melds)
    for team in [0, 1]:
        if current.options["meld_needs_trick"] and result.tricks[team] == 0:
            melds[team] = 0
    bonus = current.options["durchmarsch_bonus"] if 8 in result.tricks else 0
    held = sum(result.cards) + sum(melds) + sum(result.belle) + bonus
    if done.outcome == "eiert" and current.options["melds_on_loss"] == "void":
        held -= melds[result.takers]
    brought = sum(done.scores) + done.carry - current.carry_in
    assert brought == held * result.factor
    assert done.carry in [0, current.carry_in] or done.outcome == "litige"


def test_random_rounds() -> None:
    """M4, M12, M26 to M30, M35: rounds under random options end, and nothing is lost."""
    luck = random.Random(162)
    seen: Counter[str] = Counter()
    for number in range(1200):
        rules = random_rules(luck)
        carry = luck.choice([0, 70]) if rules["tie81"] == "litige" else 0
        current = Klammern(rules, number % 4, random_deck(luck), carry)
        boldness = luck.choice([0.05, 0.3, 0.7])
        while not current.over:
            check_legal(current)
            legal = sorted(current.legal())
            hushed = "pass" in legal and luck.random() > boldness
            seen.update(legal)
            current.push("pass" if hushed else luck.choice(legal))
        if current.passed_out:
            assert len(current.history) == 8
            assert (current.scores(), current.carry_out()) == ([0, 0], carry)
            seen["passed out"] += 1
        else:
            check_finished(current)
            seen.update([current.settlement().outcome, str(current.meld_team())])
            seen.update(meld.kind for seat in range(4) for meld in current.melds[seat])
            seen["swept"] += 8 in current.result().tricks
        assert (current.augen() is None) == (current.options["liga"] is False)
    for word in ["made", "eiert", "litige", "swept", "passed out", "0", "1", "None", "re"]:
        assert seen[word] > 0, word
    for word in ["Terz", "Quart", "Quint", "Four", "declare", "kontra", *PACK]:
        assert seen[word] > 0, word
