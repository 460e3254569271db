"""What a score is made of, and what a seat may do, in words: checked against scores and rules."""

import re
from collections.abc import Sequence

import numpy as np
import pytest

from kloepper_env.games import GAMES
from kloepper_env.rulebook import find_section, rules_of
from kloepper_env.state import State

RULES: dict[str, list[dict[str, object]]] = {
    "kloepper": [{}, {"failed_knock": "normal"}, {"failed_knock": "none"}],
    "klammern": [
        {},
        {"tie81": "litige", "melds_on_loss": "owner", "belle_on_loss": "owner"},
        {"melds_on_loss": "void", "make_rule": "more_than_opponents", "meld_needs_trick": True},
        {"liga": True, "augen_model": "outcome", "deal": "3-2-3"},
    ],
}
CASES = [(game, rules) for game, several in RULES.items() for rules in several]


def who(seats: Sequence[int]) -> str:
    return " and ".join(f"seat {seat}" for seat in seats)


def played(game: str, rules: dict[str, object], seed: int) -> State:
    state, random = State.deal(game, rules, seed=seed), np.random.default_rng(seed)
    while not state.is_over:
        legal = state.legal()
        quiet = "pass" in legal and random.random() < 0.6
        state.push("pass" if quiet else str(random.choice(legal)))
    return state


def stated(game: str, sentences: list[str]) -> list[int]:
    """The scores that the sentence beginning with So states."""
    (so,) = (sentence for sentence in sentences if sentence.startswith("So "))
    scores = [0] * 4
    if game == "klammern":
        for team, points in enumerate(re.findall(r"score (\d+)|, .* (\d+)\.", so)):
            scores[team] = scores[team + 2] = int("".join(points))
        return scores
    if so != "So all score 0.":
        (points,) = re.findall(r"scores? (\d+)", so)
        for seat in re.findall(r"seat (\d)", so):
            scores[int(seat)] = int(points)
    return scores


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_what_a_score_is_made_of_ends_in_that_score(game: str, rules: dict[str, object]) -> None:
    for seed in range(150):
        state = played(game, rules, seed)
        sentences = state.game.wording.made_of(state.hand, state.options, who)
        if "So " not in " ".join(sentences):
            assert state.scores() == [0] * 4
            assert "(M8)" in sentences[0]
        else:
            assert stated(game, sentences) == state.scores()
        for sentence in sentences:  # every addition adds up
            for addition, total in re.findall(r"((?:[\w ]+ \d+ \+ )+[\w ]+ \d+) = (\d+)", sentence):
                assert sum(map(int, re.findall(r"\d+", addition))) == int(total), sentence


@pytest.mark.parametrize(("game", "rules"), CASES)
def test_every_rule_named_exists(game: str, rules: dict[str, object]) -> None:
    named = set()
    for seed in range(60):
        state = State.deal(game, rules, seed=seed)
        random = np.random.default_rng(seed)
        while not state.is_over:
            assert state.turn is not None
            lesson = state.game.wording.lesson(state.view(state.turn))
            assert lesson
            named.update(re.findall(r"\b[KM]\d+[a-z]?\b", " ".join(lesson)))
            state.push(str(random.choice(state.legal())))
        made_of = " ".join(state.game.wording.made_of(state.hand, state.options, who))
        named.update(re.findall(r"\b[KM]\d+[a-z]?\b", made_of))
    assert len(named) > 5
    assert named <= set(rules_of(game))


def test_a_lesson_fits_what_is_legal() -> None:
    """Who may play any card is not told to follow suit or to trump, and the other way round."""
    free = {"kloepper": ("K7", "play anything"), "klammern": ("M12", "M15", "M17")}
    bound = {"kloepper": ("hold some",), "klammern": ("M13", "M16")}
    for game, words in free.items():
        for seed in range(60):
            state = State.deal(game, seed=seed)
            random = np.random.default_rng(seed)
            while not state.is_over:
                view = state.view(state.turn or 0)
                lesson = " ".join(state.game.wording.lesson(view))
                if set(view.legal) < set(view.cards):
                    assert any(word in lesson for word in bound[game]), lesson
                elif set(view.legal) == set(view.cards) and "hold some" not in lesson:
                    assert any(word in lesson for word in (*words, "M16", "M13")), lesson
                state.push(str(random.choice(state.legal())))


def test_known_hands_say_why() -> None:
    alone = State.deal(
        deck="QC QS JC 9C TC 9S JS JH JD AS TS KS AH TH KH AC KC AD TD KD QD QH 9H 9D", dealer=3
    )
    assert alone.turn == 0
    alone.push("knock")
    while not alone.is_over:
        alone.push(alone.legal()[0])
    text = " ".join(alone.game.wording.made_of(alone.hand, alone.options, who))
    assert "(K26)" in text
    assert "(K17)" in text


@pytest.mark.parametrize("game", list(GAMES))
def test_every_document_has_its_terms(game: str) -> None:
    terms = find_section(game, "Terms")
    assert terms is not None
    assert terms.startswith("Terms\n\n- ")
    assert "`" not in terms
    assert find_section(game, "K1") is None


@pytest.mark.parametrize("game", ["kloepper", "klammern"])
def test_an_introduction_for_beginners(game: str) -> None:
    introduction = find_section(game, "introduction")
    assert introduction is not None
    assert "trick" in introduction
    assert "\n- " not in introduction


def test_parts_of_a_round_that_is_made_are_its_score() -> None:
    made = 0
    for seed in range(150):
        state = played("klammern", {}, seed)
        sentences = state.game.wording.made_of(state.hand, state.options, who)
        text = " ".join(sentences)
        if "made, each team" not in text or "Kontra" in text or "Durchmarsch" in text:
            continue
        made += 1
        totals = [int(re.findall(r"\d+(?= \(M26\))", one)[0]) for one in sentences[1:3]]
        assert sorted(totals) == sorted(state.scores()[:2])
    assert made > 10


@pytest.mark.parametrize("pack", [24, 12, 8])
def test_reasons_of_points_are_those_of_the_pack(pack: int) -> None:
    """Every number of card points is in the range that the sentence names, for every pack (K32)."""
    seen = set()
    for seed in range(400):
        state = State.deal(rules={"pack": pack}, seed=seed)
        while not state.is_over:
            legal = state.legal()
            state.push("pass" if "pass" in legal else legal[seed % len(legal)])
        sentences = state.game.wording.made_of(state.hand, state.options, who)
        (text,) = [one for one in sentences if " card points: " in one]
        points, whole = map(int, re.findall(r"has (\d+) of the (\d+) card points", text)[0])
        assert whole == {24: 120, 12: 94, 8: 61}[pack]
        reason = text.partition(" card points: ")[2]
        if found := re.search(r"(\d+) to (\d+) (?:score|give)", reason):
            assert int(found[1]) <= points <= int(found[2])
        elif found := re.search(r"(\d+) or more", reason):
            assert points >= int(found[1])
        elif found := re.search(r"(\d+) or fewer", reason):
            assert points <= int(found[1])
        elif found := re.search(r"exactly (\d+)", reason):
            assert points == int(found[1])
        seen.add(re.sub(r"\d+", "", reason))
    assert len(seen) > {24: 5, 12: 3, 8: 1}[pack]
