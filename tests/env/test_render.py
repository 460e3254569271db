"""Text and pictures show what they should, and a seat nothing that it cannot know."""

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable

import pytest

from kloepper_env.cards import cards_of, pretty
from kloepper_env.errors import ConfigError, NotationError
from kloepper_env.games import get_game
from kloepper_env.games.kloepper.record import packets
from kloepper_env.records import Record
from kloepper_env.render import Picture, render_svg, render_text, svg_cards
from kloepper_env.render.faces import faces_of
from kloepper_env.render.scene import scene_of
from kloepper_env.render.text import scene_lines
from kloepper_env.state import State
from kloepper_env.view import View
from tests.env.cases import Case
from tests.env.hands import finished, positions

SVG = "{http://www.w3.org/2000/svg}"
KX22_HANDS = (
    "KD 9S 9D 9H QD TH",
    "9C JS QS AS AC TS",
    "TC TD JH AH JD KH",
    "QH QC KS KC AD JC",
)
KX22_TRICKS = (
    "2:JD 3:AD 0:9D 1:JS",
    "1:QS 2:JH 3:QC 0:QD",
    "3:KC 0:9H 1:9C 2:TC",
    "2:KH 3:QH 0:TH 1:AS",
    "0:KD 1:AC 2:TD 3:JC",
    "3:KS 0:9S 1:TS 2:AH",
)


def kx22(n_cards: int) -> State:
    """The deal of example KX22 after some cards, nobody announcing anything."""
    state = State.deal()
    deck = packets([hand.split() for hand in KX22_HANDS], 1)
    state = State.deal(deck=deck, dealer=1)
    cards = [play[2:] for trick in KX22_TRICKS for play in trick.split()]
    for card in cards[:n_cards]:
        _pass_on(state)
        state.push(card)
    return state


def _pass_on(state: State) -> None:
    while "pass" in state.legal():
        state.push("pass")


# --- what is shown -------------------------------------------------------------------------------


def test_a_finished_hand_is_shown_trick_by_trick_kx22() -> None:
    assert render_text(kx22(24)).splitlines() == [
        "Kloepper: seat 1 dealt, the hand is over",
        "",
        "seat    side   tricks  points  score  dealt                    announced",
        "   0    red         1      28      0  K♦ Q♦ 9♦ | 9♠ | 10♥ 9♥",
        "   1    black       2      40      2  Q♠ J♠ | A♣ 9♣ | A♠ 10♠",
        "   2    red         1      14      0  J♥ J♦ 10♦ | 10♣ | A♥ K♥",
        "   3    black       2      38      2  Q♣ J♣ A♦ | K♣ | K♠ | Q♥",
        "",
        "trick  cards                  taken by  points",
        "    1  2:J♦ 3:A♦ 0:9♦ 1:J♠*   seat 1        15",
        "    2  1:Q♠ 2:J♥ 3:Q♣* 0:Q♦   seat 3        11",
        "    3  3:K♣ 0:9♥ 1:9♣ 2:10♣*  seat 2        14",
        "    4  2:K♥ 3:Q♥ 0:10♥* 1:A♠  seat 0        28",
        "    5  0:K♦ 1:A♣ 2:10♦ 3:J♣*  seat 3        27",
        "    6  3:K♠ 0:9♠ 1:10♠* 2:A♥  seat 1        25",
    ]


def test_a_seat_sees_its_own_hand_the_table_and_its_choices() -> None:
    state = kx22(6)
    assert state.turn == 3
    assert render_text(state, 3).splitlines() == [
        "Kloepper: seat 1 dealt, trick 2",
        "",
        "seat          side   tricks  points  cards                 announced",
        "   0  left    red         0       0  5 cards",
        "   1  across  black       1      15  4 cards",
        "   2  right   red         0       0  4 cards",
        "   3  you     black       0       0  Q♣ J♣ | K♣ | K♠ | Q♥",
        "",
        "last trick  2:J♦ 3:A♦ 0:9♦ 1:J♠*  to seat 1",
        "on table    1:Q♠* 2:J♥",
        "turn        you may play: Q♣, J♣",
    ]


def test_a_waiting_seat_sees_whose_card_comes_next() -> None:
    text = render_text(kx22(6), 0)
    assert text.endswith("next card   seat 3")
    assert "you" in text
    assert "may" not in text


def test_announcements_are_named() -> None:
    state = State.deal(deck=packets([*_both_queens()], 3), dealer=3)
    state.push("call:H")
    _pass_on(state)
    assert "called A♥" in render_text(state, 2)
    assert "called A♥" in render_svg(state, 2)
    lone = State.deal(deck=packets([*_both_queens()], 3), dealer=3)
    lone.push("knock")
    _pass_on(lone)
    assert "knocked, alone" in render_text(lone, 2)


def _both_queens() -> list[list[str]]:
    codes = State.deal().game.codes
    return [list(codes[i : i + 6]) for i in range(0, 24, 6)]


def test_a_hand_that_stopped_early_keeps_its_cards_from_a_seat() -> None:
    early = next(
        state
        for state in (finished(seed, boldness=1.0) for seed in range(200))
        if 0 < int(state.hand.plies) < 20
    )
    assert "cards unseen" in render_text(early, 0)
    assert scene_of(early, 0).scores is None  # they tell who is on which side
    assert "cards unseen" in render_svg(early, 0)
    assert "unseen" not in render_text(early)


def test_passes_are_no_announcements() -> None:
    state = finished(3)
    assert any(action == "pass" for _, action in state.history)
    assert "pass" not in render_svg(state)


def test_the_legal_cards_are_lifted() -> None:
    state = kx22(6)
    heights = {
        float(match[2]): match[0]
        for match in re.finditer(
            r'<g transform="translate\(([\d.]+) ([\d.]+)\) scale\(1\)"', _hand(state)
        )
    }
    assert len(heights) == 2  # two of five cards may be played


def _hand(state: State) -> str:
    from kloepper_env.render.svg import _hand  # noqa: PLC0415  # one part of the picture alone

    return _hand(scene_of(state, 3), faces_of("french"), 3, 480, 500, 76)


def test_who_is_not_a_seat_is_refused() -> None:
    with pytest.raises(ValueError, match="seat is 4, but must be None or 0 to 3"):
        render_text(kx22(0), 4)


MX25A = """
{"v":1,"game":"klammern","rules":{},"dealer":0,"deck":["TC","QS","7H","7C","9C","AC","QC","JS","AS",
"8C","JC","KC","TH","KH","7S","8D","8H","9H","8S","9S","KS","AH","JD","9D","TD","KD","JH","QH","AD",
"TS","7D","QD"],"actions":[[1,"take:S"],[2,"pass"],[0,"pass"],[1,"KH"],[2,"7S"],[3,"QH"],[0,"TS"],
[0,"JC"],[1,"TC"],[2,"AC"],[3,"QC"],[2,"9C"],[3,"JS"],[0,"KC"],[1,"QS"],[3,"JH"],[0,"9S"],[1,"TH"],
[2,"KD"],[0,"QD"],[1,"JD"],[2,"TD"],[3,"AD"],[3,"9H"],[0,"8S"],[1,"AH"],[2,"7C"],[0,"7D"],[1,"KS"],
[2,"9D"],[3,"8H"],[1,"7H"],[2,"8D"],[3,"AS"],[0,"8C"]],"scores":[124,98]}
"""


def mx25a(n_actions: int | None = None) -> State:
    return Record.parse(MX25A.replace("\n", " ")).state(n_actions)


def test_before_a_take_everybody_sees_the_turned_card_and_whose_turn_it_is() -> None:
    waiting, asked = render_text(mx25a(0), 3), render_text(mx25a(0), 1)
    assert waiting.startswith("Klammern: seat 0 dealt, trick 1, K♠ is turned\n")
    assert waiting.endswith("turn        seat 1")
    assert asked.endswith("turn        you may announce: pass, take spades")
    assert "turn: seat 1" in render_svg(mx25a(0), 3)


def test_a_round_of_klammern_in_play() -> None:
    assert render_text(mx25a(7), 3).splitlines() == [
        "Klammern: seat 0 dealt, trick 2, spades are trump",
        "",
        "seat           side       tricks  points  cards                       announced",
        "   0  left     defenders       1      17  7 cards                     "
        "Terz, showed 8♠ 9♠ 10♠",
        "   1  partner  takers          0       0  7 cards                     took ♠",
        "   2  right    defenders       0       0  7 cards                     "
        "Terz, showed 8♦ 9♦ 10♦",
        "   3  you      takers          0       0  J♠ A♠ | Q♣ | J♥ 9♥ 8♥ | A♦",
        "",
        "last trick  1:K♥ 2:7♠ 3:Q♥ 0:10♠*  to seat 0",
        "turn        seat 0",
    ]


def test_a_finished_round_of_klammern() -> None:
    lines = render_text(mx25a()).splitlines()
    assert lines[0] == "Klammern: seat 0 dealt, the hand is over, spades are trump"
    assert lines[4] == (
        "   1    takers          1       4     98  K♠ Q♠ | 10♣ | A♥ 10♥ K♥ 7♥ | J♦  took ♠, Belle"
    )
    assert lines[-2:] == [
        "    7  0:7♦ 1:K♠* 2:9♦ 3:8♥   seat 1         4",
        "    8  1:7♥ 2:8♦ 3:A♠* 0:8♣   seat 3        11",
    ]


def test_another_seat_than_the_dealers_left_may_lead() -> None:
    """What is asked for is told by the seat that decides, whoever would lead in most games."""
    state = mx25a(0)
    while "pass" in (legal := state.legal()):
        state.push(next((name for name in legal if name.startswith("take")), "pass"))
    state.hand.turn = state.hand.leader = (state.hand.turn + 1) % 4
    assert f"seat {state.turn} may play: " in render_text(state)
    assert "you may play: " in render_text(state, state.turn)


def test_a_round_that_is_passed_out() -> None:
    state = State.deal("klammern", seed=1)
    while not state.is_over:
        state.push("pass")
    for seat in (None, 0):
        assert ", the hand is over, passed out\n" in render_text(state, seat)
        assert "passed out" in render_svg(state, seat)
    assert scene_of(state, 0).scores == (0, 0, 0, 0)
    assert "5 cards unseen" in render_text(state, 0)


def test_objections_of_klammern_name_the_rule() -> None:
    wording = get_game("klammern").wording
    first = mx25a(0).view(1)
    assert wording.objection(first, "take:H").endswith("(M6)")
    assert wording.objection(first, "kontra").endswith("(M11)")
    assert wording.objection(first, "declare").endswith("(M22)")
    assert "answer or pass first" in wording.objection(first, first.cards[0])
    playing = mx25a(6)
    assert wording.objection(playing.view(0), "take:S").endswith("(M6, M7, M11)")
    assert wording.objection(mx25a(4).view(2), "KD") == "you have no hearts and must trump (M16)"
    assert wording.objection(mx25a(8).view(1), "QS") == "you hold clubs and must follow suit (M13)"
    assert wording.objection(mx25a(8).view(1), "AC") == "you do not hold that card"


def test_objections_name_the_rule() -> None:
    wording = get_game("kloepper").wording
    playing = kx22(6).view(3)
    assert wording.objection(playing, "KC") == "you hold a trump and must follow suit (K8)"
    assert wording.objection(playing, "AH") == "you do not hold that card"
    assert "(K11, K15, K18)" in wording.objection(playing, "knock")
    state = State.deal(deck=packets([*_both_queens()], 3), dealer=3)
    asked = state.view(0)
    assert "pass first" in wording.objection(asked, "QC")
    assert wording.objection(asked, "knock_off") == "there is no knock-off without a knock (K18)"
    state.push("call:H")
    assert "called or knocked already (K11, K17)" in wording.objection(state.view(0), "call:S")


# --- pictures ------------------------------------------------------------------------------------


@pytest.mark.parametrize("faces", ["french", "german"])
@pytest.mark.parametrize("seat", [None, 2])
def test_every_picture_is_well_formed_and_needs_nothing_from_outside(
    case: Case, seat: int | None, faces: str
) -> None:
    for state in positions(5, boldness=0.6, game=case.name):
        svg = render_svg(state, seat, faces=faces)
        root = ET.fromstring(svg)
        assert root.tag == f"{SVG}svg"
        assert root.get("viewBox") == "0 0 960 720"
        assert root.find(f"{SVG}title") is not None
        description = root.find(f"{SVG}desc")
        assert description is not None
        assert description.text == render_text(state, seat)
        assert set(re.findall(r'href="([^"]*)"', svg)) <= {f"#{faces}-{suit}" for suit in "CSHD"}
        assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]


def test_german_faces_have_unter_and_ober() -> None:
    german, french = (svg_cards(["QC", "JH", "TD"], faces=faces) for faces in ("german", "french"))
    assert re.findall(r">([A-Z0-9]+)</text>", german) == [*"OOO", *"UUU", "10", "10"]
    assert re.findall(r">([A-Z0-9]+)</text>", french) == [*"QQQ", *"JJJ", "10", "10"]
    inks = [set(re.findall(r'fill="(#[0-9a-f]+)">', svg)) for svg in (german, french)]
    assert len(inks[0]) > len(inks[1])  # three suits in three colours, or in two


@pytest.mark.parametrize("draw", [svg_cards, lambda cards, faces: render_svg(kx22(3), faces=faces)])
def test_unknown_faces_are_refused(draw: Callable[..., str]) -> None:
    with pytest.raises(ConfigError, match="faces is 'swiss', but must be 'french' or 'german'"):
        draw(["QC"], faces="swiss")


def test_cards_side_by_side() -> None:
    svg = svg_cards(["QC", "TH", "9S"])
    root = ET.fromstring(svg)
    assert len(root.findall(f"{SVG}g")) == 3
    assert isinstance(svg, Picture)
    assert svg._repr_svg_() == svg


@pytest.mark.parametrize("card", ["<S", "&H", "JX", "", "\x1bS"])
def test_only_cards_are_drawn(card: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        svg_cards(["QC", card])


# --- what is not shown ---------------------------------------------------------------------------


def redealt(state: State, view: View, rng: random.Random) -> State | None:
    """The same hand as a seat knows it, with its unseen cards dealt anew; None if that fails."""
    game, seat = state.game, view.seat
    others = [s for s in range(game.n_seats) if s != seat]
    unseen = [card for s in others for card in state.cards(s)]
    rng.shuffle(unseen)
    hands = [state.dealt(s) for s in range(game.n_seats)]
    for other in others:
        count = len(state.cards(other))
        played = cards_of(int(state.hand.played[other]), game.codes)
        hands[other] = played + unseen[:count]
        del unseen[:count]
    deck = packets(hands, state.dealer)
    twin = State.deal(rules=state.options.changed(), deck=deck, dealer=state.dealer)
    for actor, action in view.history:
        while twin.turn not in (actor, seat) and "pass" in twin.legal():
            twin.push("pass")
        if twin.turn == actor and action not in twin.legal() and "pass" in twin.legal():
            twin.push("pass")  # asked here, for a reason of which the observer knows nothing
            while twin.turn not in (actor, seat) and "pass" in twin.legal():
                twin.push("pass")
        if twin.turn != actor or action not in twin.legal():
            return None
        twin.push(action)
    while view.legal and twin.turn != seat and "pass" in twin.legal():
        twin.push("pass")
    is_same = (twin.turn == seat) == bool(view.legal) and twin.hand.lone == state.hand.lone  # K17
    return twin if is_same and not twin.is_over else None


def test_text_and_picture_of_a_seat_do_not_depend_on_cards_it_cannot_see() -> None:
    rng, compared, queens_moved = random.Random(1), 0, 0
    for seed in range(40):
        for state in positions(seed, boldness=0.15):
            seat = rng.randrange(4)
            view = state.view(seat)
            if state.is_over or rng.random() < 0.5:
                continue
            twin = redealt(state, view, rng)
            if twin is None or twin.deck() == state.deck():
                continue
            assert render_text(twin, seat) == render_text(state, seat)
            assert render_svg(twin, seat) == render_svg(state, seat)
            compared += 1
            queens_moved += int(twin.hand.queens) != int(state.hand.queens)
    assert compared > 150
    assert queens_moved > 30


def test_a_seat_is_not_shown_who_is_asked() -> None:
    for seed in range(60):
        state = State.deal(seed=seed)
        waiting = [s for s in range(4) if s != state.turn]
        before = [render_text(state, s) for s in waiting]
        if "pass" not in state.legal() or int(state.hand.queens).bit_count() != 2:
            continue
        state.push("pass")
        after = [render_text(state, s) for s in waiting]
        assert [b for b, s in zip(before, waiting, strict=True) if s != state.turn] == [
            a for a, s in zip(after, waiting, strict=True) if s != state.turn
        ]


def test_hidden_hands_do_not_stand_in_a_picture() -> None:
    state = kx22(6)
    hidden = {pretty(card) for seat in (0, 1, 2) for card in state.cards(seat)}
    text = render_text(state, 3)
    assert not [card for card in hidden if re.search(rf"(?<!\d){card}", text)]


@pytest.mark.parametrize(("game", "width"), [("kloepper", 60), ("klammern", 60), ("klammern", 80)])
def test_seats_have_lines_for_their_cards_where_the_window_is_narrow(game: str, width: int) -> None:
    state = State.deal(game, seed=3)
    folded = False
    while not state.is_over:
        state.push(state.legal()[-1])
        for seat in (None, 0):
            scene = scene_of(state, seat)
            wide, narrow = ("\n".join(scene_lines(scene, w)) for w in (None, width))
            seats = narrow.split("\n\n")[1].split("\n")
            assert max(map(len, seats)) <= width
            folded |= narrow != wide
            words, fewer = Counter(wide.split()), Counter(narrow.split())
            assert not fewer - words
            assert set(words - fewer) <= {"cards", "dealt", "announced"}
    assert folded
