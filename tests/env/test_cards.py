"""Reading and writing cards, and the sentences for what is no card or no deck."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kloepper_env.cards import (
    SUIT_SYMBOLS,
    cards_of,
    mask_of,
    parse_card,
    parse_cards,
    parse_deck,
    pretty,
)
from kloepper_env.errors import NotationError
from kloepper_env.games import get_game

CODES = get_game("kloepper").codes
codes = st.sampled_from(CODES)


@given(codes)
def test_a_code_reads_as_itself_in_every_spelling(code: str) -> None:
    rank, suit = code[0], code[1]
    for spelling in (code, code.lower(), f" {code}\n", rank + SUIT_SYMBOLS[suit], pretty(code)):
        assert parse_card(spelling, CODES) == code
    if rank == "T":
        assert parse_card(f"10{suit}", CODES) == parse_card(f"10{suit.lower()}", CODES) == code


def test_a_symbol_drawn_as_a_picture_is_read() -> None:
    assert parse_card("J♠\ufe0f", CODES) == "JS"


@given(st.sets(codes))
def test_masks_and_cards_are_inverse(cards: set[str]) -> None:
    mask = mask_of(cards, CODES)
    assert mask.bit_count() == len(cards)
    assert cards_of(mask, CODES) == [code for code in CODES if code in cards]


@given(st.lists(codes), st.sampled_from([" ", ",", ", ", "  "]))
def test_several_cards_in_one_text_or_in_a_list(cards: list[str], between: str) -> None:
    assert parse_cards(between.join(cards), CODES) == parse_cards(cards, CODES) == cards


@given(st.permutations(CODES))
def test_a_deck_reads_as_itself(deck: list[str]) -> None:
    assert parse_deck(" ".join(deck), CODES) == parse_deck(deck, CODES) == deck


@given(st.text(max_size=4))
def test_any_other_text_is_refused(text: str) -> None:
    plain = text.strip().upper().replace("10", "T").replace("\ufe0f", "")
    for suit, symbol in SUIT_SYMBOLS.items():
        plain = plain.replace(symbol, suit)
    assume(plain not in CODES)
    with pytest.raises(NotationError, match="is not a card of this pack"):
        parse_card(text, CODES)


@pytest.mark.parametrize("text", ["", "J", "SJ", "JX", "8H", "11H", "JSS", "J S", "QH QD", "pass"])
def test_the_sentence_for_what_is_no_card(text: str) -> None:
    with pytest.raises(NotationError) as raised:
        parse_card(text, CODES)
    assert str(raised.value) == (
        f"{text!r} is not a card of this pack: a card is a rank (Q J A T K 9) "
        "and a suit (C S H D), for example JS or 10H"
    )


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        (CODES[:-1], "the deck has 23 cards instead of 24: 9H missing"),
        (CODES[2:], "the deck has 22 cards instead of 24: QC, QS missing"),
        ((*CODES, "QC"), "the deck holds QC more than once"),
        ((*CODES[:-2], "QC", "JS"), "the deck holds JS or QC more than once"),
        ((), "the deck has 0 cards instead of 24: "),
    ],
)
def test_the_sentence_for_a_wrong_deck(deck: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(NotationError, match=re.escape(sentence)):
        parse_deck(deck, CODES)


def test_a_deck_with_an_unreadable_card_names_it() -> None:
    with pytest.raises(NotationError, match="'8H' is not a card of this pack"):
        parse_deck(["8H", *CODES[1:]], CODES)


def test_a_deck_far_too_long_is_not_read() -> None:
    with pytest.raises(NotationError, match="the deck has 40000 cards instead of 24"):
        parse_deck(["AS"] * 40_000, CODES)
    with pytest.raises(NotationError, match="the deck has 40000 cards instead of 24"):
        parse_deck("AS " * 40_000, CODES)
