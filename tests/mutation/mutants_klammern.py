"""Mutants of Klammern."""

from typing import Final

from tests.mutation.mutant import Mutant, Suite

_GAME: Final = "kloepper_env/games/klammern/"
KERNELS, RECORD, MATCH = _GAME + "kernels.py", _GAME + "record.py", _GAME + "match.py"
MELDS, SETTLEMENT, OBSERVE = _GAME + "melds.py", _GAME + "settlement.py", _GAME + "observe.py"
OPTIONS, GAME = _GAME + "options.py", _GAME + "__init__.py"

_DEAL: Final = [
    Mutant(RECORD, '"J9ATKQ87", ', '"9JATKQ87", ', "M2"),
    Mutant(RECORD, "(20, 14, 11, 10,", "(20, 14, 10, 11,", "M2"),
    Mutant(RECORD, ', "ATKQJ987"', ', "AKTQJ987"', "M3"),
    Mutant(RECORD, "(11, 10, 4, 3, 2, 0, 0, 0)", "(11, 10, 4, 3, 2, 1, 0, 0)", "M3"),
    Mutant(RECORD, "TURNED_OF_DEALER: Final = 30", "TURNED_OF_DEALER: Final = 29", "M5"),
    Mutant(KERNELS, "_packet(hand, 12 + 2 * place, 2)", "_packet(hand, 12 + 2 * seat, 2)", "M5"),
    Mutant(
        KERNELS, "_packet(hand, TURNED + 3 * place, 3)", "_packet(hand, TURNED + 3 * seat, 3)", "M5"
    ),
    Mutant(KERNELS, "return turned | 1 << PASS", "return TAKES | 1 << PASS", "M6"),
    Mutant(KERNELS, "if seat == hand.dealer:", "if seat == hand.leader:", "M6"),
    Mutant(KERNELS, "return TAKES ^ turned | 1 << PASS", "return TAKES | 1 << PASS", "M7"),
    Mutant(KERNELS, "hand.over = hand.step == SECOND_CHOICE", "hand.over = 1", "M7"),
    Mutant(KERNELS, "hand.over = hand.step == SECOND_CHOICE", "hand.over = 0", "M8"),
    Mutant(MATCH, "same = not outcome.played and ", "same = ", "M8"),
    Mutant(MATCH, "same = not outcome.played and ", "same = outcome.played and ", "M8"),
    Mutant(GAME, "played=hand.taker != NONE", "played=True", "M8"),
    Mutant(KERNELS, "FLAG_DEALER_OWNS else hand.taker", "~0 else hand.taker", "M9"),
    Mutant(KERNELS, "size = 3 - int(seat == owner)", "size = 3 - int(place == 3)", "M9"),
    Mutant(
        KERNELS,
        "seat = int(hand.dealer) + 1 + place & 3\n        size",
        "seat = owner + 1 + place & 3\n        size",
        "M9",
    ),
    Mutant(KERNELS, "hand.hands[owner] |= 1 <<", "hand.hands[int(hand.taker)] |= 1 <<", "M9"),
    Mutant(
        KERNELS,
        "if not hand.option_flags & FLAG_ALL_AT_ONCE:\n        _deal",
        "if True:\n        _deal",
        "M9",
    ),
    Mutant(MATCH, "0 if same else 1", "0 if same else 3", "M12"),
    Mutant(MATCH, "DRAWN if first == RANDOM else int(first)", "DRAWN", "M36"),
]
_ORDER: Final = [
    Mutant(
        KERNELS,
        "hand.step = ASK_KONTRA\n    hand.turn = first_of_team(hand, 1 - (seat & 1))",
        "hand.step = ASK_KONTRA\n    hand.turn = first_of_team(hand, seat & 1)",
        "M11",
    ),
    Mutant(
        KERNELS,
        "hand.step = ASK_RE\n        hand.turn = first_of_team(hand, 1 - (seat & 1))",
        "hand.step = ASK_RE\n        hand.turn = hand.taker",
        "M11",
    ),
    Mutant(KERNELS, "forehand = int(hand.dealer) + 1 & 3", "forehand = int(hand.taker)", "M11"),
    Mutant(KERNELS, "if seat == first_of_team(hand, seat & 1):", "if False:", "M11"),
    Mutant(KERNELS, "KONTRA if step == ASK_KONTRA else RE", "KONTRA", "M11"),
    Mutant(KERNELS, "hand.re = seat\n        _open_trick_one(hand)", "hand.re = seat", "MO4"),
    Mutant(KERNELS, "hand.leader = dealer + 1 & 3", "hand.leader = dealer", "M12"),
    Mutant(
        KERNELS,
        "else PLAY\n    hand.turn = hand.leader",
        "else PLAY\n    hand.turn = hand.taker",
        "M12",
    ),
    Mutant(KERNELS, "hand.turn = winner", "hand.turn = hand.turn", "M12"),
    Mutant(KERNELS, "int(hand.melds[seat] != 0) << DECLARE", "1 << DECLARE", "MO5"),
    Mutant(
        KERNELS, "if hand.plies < N_SEATS and hand", "if hand.plies < N_SEATS - 1 and hand", "MO5"
    ),
    Mutant(KERNELS, "if hand.plies < N_SEATS and hand", "if hand.plies <= N_SEATS and hand", "MO5"),
]
_PLAY: Final = [
    Mutant(KERNELS, "following = held & int(FOLLOW[led])", "following = 0", "M13"),
    Mutant(
        KERNELS, "raises = led == trump and flags & FLAG_RAISE != 0", "raises = led == trump", "M14"
    ),
    Mutant(
        KERNELS, "raises &= flags & FLAG_RAISE_OVER_PARTNER != 0 or", "raises &= False or", "M14"
    ),
    Mutant(KERNELS, "!= 0 or not with_partner", "!= 0 or True", "M14"),
    Mutant(
        KERNELS, "return beating if raises and beating else", "return beating if raises else", "M14"
    ),
    Mutant(
        OPTIONS,
        '(FLAG_RAISE, self.raise_on_trump_lead != "never")',
        '(FLAG_RAISE, self.raise_on_trump_lead == "always")',
        "M14",
    ),
    Mutant(
        KERNELS,
        "with_partner = hand.winner == seat ^ 2",
        "with_partner = hand.winner == seat ^ 1",
        "M15",
    ),
    Mutant(KERNELS, "with_partner and flags & FLAG_PARTNER_EXEMPT != 0", "with_partner", "M15"),
    Mutant(KERNELS, "if beating and flags & FLAG_OVERTRUMP:", "if beating:", "M16"),
    Mutant(
        KERNELS,
        "trumps and (beating or flags & FLAG_UNDERTRUMP)",
        "trumps and flags & FLAG_UNDERTRUMP",
        "M16",
    ),
    Mutant(KERNELS, "trumps and (beating or flags & FLAG_UNDERTRUMP)", "trumps", "M16"),
    Mutant(KERNELS, "trumps if trumps and", "trumps if", "M17"),
    Mutant(RECORD, "2 * N_RANKS - _TRUMP_ORDER", "N_RANKS - _TRUMP_ORDER", "M18"),
    Mutant(RECORD, "strength[trump, suit, card] = N", "strength[trump, :, card] = N", "M18"),
    Mutant(KERNELS, "led = suit if hand.led == NONE else int(hand.led)", "led = suit", "M18"),
    Mutant(KERNELS, "hand.winner += takes * (seat", "hand.winner += (seat", "M18"),
]
_MELDS: Final = [
    Mutant(MELDS, "[0, 20, 50, 100, 150, 200]", "[0, 20, 40, 100, 150, 200]", "M19"),
    Mutant(MELDS, "min(cards - 2, QUINT)", "(cards - 2)", "M19"),
    Mutant(MELDS, "for b in range(a + 2, last + 1)", "for b in range(a + 1, last + 1)", "M19"),
    Mutant(MELDS, "if split and one[1] < two[0]", "if split and one[1] <= two[0]", "M19"),
    Mutant(MELDS, "if split and one[1] < two[0]", "if one[1] < two[0]", "M19"),
    Mutant(MELDS, '_FOUR_CLASS = {"J": 5, "9": 4}', '_FOUR_CLASS = {"J": 5, "9": 3}', "M20"),
    Mutant(MELDS, "LOW_FOURS: Final = 0b11", "LOW_FOURS: Final = 0b01", "M20"),
    Mutant(MELDS, "if flags & FLAG_LOW_FOURS else", "if True else", "M20"),
    Mutant(
        MELDS, "free = held if flags & FLAG_REUSE else held & ~four_cards", "free = held", "M21"
    ),
    Mutant(MELDS, "free = held if flags & FLAG_REUSE else held", "free = held", "M21"),
    Mutant(MELDS, "if gain > 0 or (gain == 0 and melds > best)", "if gain > 0", "M21"),
    Mutant(MELDS, "if gain > 0 or (gain == 0 and melds > best)", "if melds > best", "M21"),
    Mutant(MELDS, "if chosen == 0 or flags & FLAG_REUSE:", "if True:", "M21"),
    Mutant(
        MELDS,
        "chosen = chosen - 1 & fours",
        "chosen = 0",
        "M21",
        "who has two fours has no other card, and both are worth more than one",
    ),
    Mutant(KERNELS, "!= 0) * (1 - by_choice) << other", "!= 0) << other", "M22"),
    Mutant(KERNELS, "hand.declared |= 1 << seat", "hand.declared |= 5 << (seat & 1)", "M22"),
    Mutant(KERNELS, "if hand.plies == N_SEATS:", "if hand.plies == 2 * N_SEATS:", "M22"),
    Mutant(MELDS, '_FOUR_ORDER = "78QKTA9J"', '_FOUR_ORDER = "789TJQKA"', "M23"),
    Mutant(MELDS, "cards << _LENGTH_SHIFT | last << _TOP_SHIFT", "cards << _LENGTH_SHIFT", "M23"),
    Mutant(MELDS, "| kind | int(suit == trump))", "| kind)", "M23"),
    Mutant(MELDS, "kind = int(flags & FLAG_FOURS_FIRST == 0)", "kind = int(True)", "M23"),
    Mutant(MELDS, "kind = int(flags & FLAG_FOURS_FIRST != 0)", "kind = int(True)", "M23"),
    Mutant(
        MELDS,
        "other >> _KIND_SHIFT:\n        return int(other > own)",
        "other >> _KIND_SHIFT:\n        return int(own > other)",
        "M23",
    ),
    Mutant(
        MELDS,
        "if own != other:\n        return int(other > own)",
        "if False:\n        return 0",
        "M23",
    ),
    Mutant(MELDS, "return int(lead < 0)", "return int(lead > 0)", "M23"),
    Mutant(MELDS, "if hand.option_flags & FLAG_COUNT:", "if False:", "M23"),
    Mutant(MELDS, "if not hand.option_flags & FLAG_TIE_TO_FIRST:", "if False:", "M23"),
    Mutant(MELDS, "seat = int(hand.dealer) + 1 & 3", "seat = int(hand.taker)", "M23"),
    Mutant(MELDS, "& 1 and best_of(int(hand.melds[seat])) == own", "& 1", "M23"),
    Mutant(
        MELDS,
        "& MELD) >> _KIND_SHIFT == (\n                    best >> _KIND_SHIFT",
        "& MELD) >> _CLASS_SHIFT == (\n                    best >> _CLASS_SHIFT",
        "M23",
    ),
    Mutant(
        MELDS,
        "points_of(int(hand.melds[seat])) * (int(hand.declared) >> seat & 1)",
        "points_of(int(hand.melds[seat]))",
        "M24",
    ),
    Mutant(
        MELDS,
        "for seat in (team, team + 2):\n        points",
        "for seat in (team,):\n        points",
        "M24",
    ),
    Mutant(RECORD, "KING_QUEEN: Final = 0b0110_0000", "KING_QUEEN: Final = 0b0011_0000", "M25"),
    Mutant(
        KERNELS,
        "int(int(hand.hands[other]) & belle == belle)",
        "int(int(hand.hands[other]) & belle != 0)",
        "M25",
    ),
    Mutant(
        KERNELS,
        "FLAG_BELLE_FIRST or int(hand.played[seat]) & belle == belle",
        "FLAG_BELLE_FIRST",
        "M25",
    ),
    Mutant(KERNELS, "hand.option_flags & FLAG_BELLE_FIRST or int", "int", "M25"),
    Mutant(SETTLEMENT, "BELLE: Final = 20", "BELLE: Final = 10", "M25"),
]
_SCORES: Final = [
    Mutant(SETTLEMENT, "LAST_TRICK: Final = 10", "LAST_TRICK: Final = 0", "M4"),
    Mutant(SETTLEMENT, "int(hand.leader & 1 == team)", "int(hand.dealer & 1 == team)", "M4"),
    Mutant(KERNELS, "<< 8 * winner | 1", "<< 8 * int(hand.leader) | 1", "M26"),
    Mutant(KERNELS, "hand.table_points = 0\n    hand.led", "hand.led", "M26"),
    Mutant(SETTLEMENT, "int(hand.option_flags & FLAG_NEEDS_TRICK != 0) &", "1 &", "M26"),
    Mutant(SETTLEMENT, "int(hand.option_flags & FLAG_NEEDS_TRICK != 0) &", "0 &", "M26"),
    Mutant(SETTLEMENT, "belle >> team & 0b101", "belle >> team & 0b001", "M26"),
    Mutant(SETTLEMENT, "ENOUGH: Final = 82", "ENOUGH: Final = 81", "M27"),
    Mutant(SETTLEMENT, "ENOUGH: Final = 82", "ENOUGH: Final = 83", "M27"),
    Mutant(SETTLEMENT, "return own > total_of", "return own >= total_of", "M27"),
    Mutant(SETTLEMENT, "melds_of_team(hand, team) + belle", "melds_of_team(hand, team)", "M27"),
    Mutant(
        SETTLEMENT,
        "others += cards + melds * int(flags & FLAG_MELDS_TO_OPPONENTS != 0)",
        "others += cards + melds",
        "M28",
    ),
    Mutant(SETTLEMENT, "others += cards + melds * int(", "others += melds * int(", "M28"),
    Mutant(
        SETTLEMENT,
        "others += belle * int(flags & FLAG_BELLE_TO_OPPONENTS != 0)",
        "others += belle",
        "M28",
    ),
    Mutant(SETTLEMENT, "own = melds * int(flags & FLAG_MELDS_TO_OWNER != 0)", "own = 0", "M28"),
    Mutant(
        SETTLEMENT, "own += belle * int(flags & FLAG_BELLE_TO_OPPONENTS == 0)", "own += 0", "M28"
    ),
    Mutant(
        OPTIONS,
        '(FLAG_MELDS_TO_OWNER, self.melds_on_loss == "owner")',
        '(FLAG_MELDS_TO_OWNER, self.melds_on_loss != "opponents")',
        "M28",
    ),
    Mutant(SETTLEMENT, "!= 0 and own == others  # M28a", "!= 0", "M28a"),
    Mutant(SETTLEMENT, "is_litige = not made and", "is_litige =", "M28a"),
    Mutant(SETTLEMENT, "bonus = flags >> BONUS_SHIFT", "bonus = 100", "M29"),
    Mutant(
        SETTLEMENT,
        "others += bonus * int(tricks_of(hand, defenders) == HAND_SIZE)",
        "others += 0",
        "M29",
    ),
    Mutant(SETTLEMENT, "* (1 + int(hand.re != NONE))", "+ int(hand.re != NONE)", "M30"),
    Mutant(SETTLEMENT, "winner = takers if own > others else defenders", "winner = takers", "M34"),
    Mutant(SETTLEMENT, "elif not is_litige and own != others:", "elif not is_litige:", "M34"),
    Mutant(
        SETTLEMENT,
        "times * own, times * others, times * suspended",
        "times * own, times * others, suspended",
        "M35",
    ),
    Mutant(SETTLEMENT, "else carry + suspended", "else suspended", "M35"),
    Mutant(
        SETTLEMENT, "left = 0 if winner != NONE else", "left = carry if winner != NONE else", "M35"
    ),
    Mutant(
        SETTLEMENT,
        "own += carry * int(winner == takers)",
        "own += times * carry * int(winner == takers)",
        "M35",
    ),
    Mutant(SETTLEMENT, "others += carry * int(winner == defenders)", "others += 0", "M35"),
    Mutant(SETTLEMENT, "return 0, 0, carry, NONE, False", "return 0, 0, 0, NONE, False", "M35"),
    Mutant(
        MATCH,
        'self._litige = outcome.carry["litige"]',
        'self._litige += outcome.carry["litige"]',
        "M35",
    ),
]
_GAMES: Final = [
    Mutant(MATCH, "self._teams[team] += outcome", "self._teams[team] = outcome", "M31"),
    Mutant(MATCH, "< self.options.goal or first == second", "< self.options.goal", "M31"),
    Mutant(MATCH, "max(self._teams) < self", "max(self._teams) <= self", "M31"),
    Mutant(MATCH, "int(second > first)", "int(first > second)", "M31"),
    Mutant(SETTLEMENT, "(score + 5) // 10", "(score + 4) // 10", "M32"),
    Mutant(
        GAME,
        "gains=list(augen(hand, options) if options.liga else settled.scores)",
        "gains=list(settled.scores)",
        "M32",
    ),
    Mutant(OPTIONS, "return 51 if self.augen_model == TENS else 5", "return 51", "M32"),
    Mutant(OPTIONS, "return self.liga_target", "return self.target", "M32"),
    Mutant(SETTLEMENT, '"eiert" if settled.is_eiert else ', "", "M33"),
    Mutant(SETTLEMENT, '"takers" if is_taker else "defenders"', '"takers"', "M33"),
    Mutant(
        SETTLEMENT,
        'found[team] += table["durchmarsch"]',
        'found[team] = table["durchmarsch"]',
        "M33",
    ),
    Mutant(
        SETTLEMENT, "return times * found[0], times * found[1]", "return found[0], found[1]", "M33"
    ),
]
_PUBLIC: Final = [
    Mutant(OBSERVE, "and declared >> seat & 1", "", "MP2"),
    Mutant(OBSERVE, "if scoring == seat & 1 and declared", "if declared", "MP2"),
    Mutant(OBSERVE, 'hand["belle_shown"])', 'hand["belle"])', "MP3"),
    Mutant(
        KERNELS,
        "mask |= 1 << int(hand.deck[place])",
        "mask |= 0",
        "MP4",
    ),
]
_OBSERVATION: Final = [
    Mutant(KERNELS, "hand.known[dealer] = at_once <<", "hand.known[dealer] = 0 <<", "MP1"),
    Mutant(KERNELS, "hand.known[owner] = 1 <<", "hand.known[owner] = 0 <<", "MP1"),
    Mutant(KERNELS, "hand.known[seat] |= hand.meld_cards[seat]", "hand.known[seat] |= 0", "MP2"),
    Mutant(KERNELS, "hand.known[seat] |= belle", "hand.known[seat] |= bit", "MP3"),
    Mutant(KERNELS, "void << 4 * seat + led", "void << 4 * seat + suit", "M13"),
    Mutant(KERNELS, "return must and not exempt", "return must", "M15"),
    Mutant(KERNELS, "return must and not exempt", "return not exempt", "M16"),
    Mutant(KERNELS, "must = flags & FLAG_UNDERTRUMP != 0 or", "must =", "M16"),
    Mutant(
        KERNELS,
        "hand.winner == seat ^ 2 and flags & FLAG_PARTNER_EXEMPT != 0\n",
        "hand.winner == seat ^ 2\n",
        "M15",
    ),
    Mutant(KERNELS, "(void & int(suit != trump) & int(_sh", "(void & int(_sh", "M16"),
    Mutant(KERNELS, "hand.leader = winner", "hand.leader = hand.leader", "M12"),
    Mutant(KERNELS, "1 << 32 + 8 * winner", "1 << 32 + 8 * int(hand.leader)", "M26"),
    Mutant(OBSERVE, "(other - seat & 3)", "(seat - other & 3)", "MP1"),
    Mutant(OBSERVE, "int(other != NONE) <<", "1 <<", "MP1"),
    Mutant(OBSERVE, "(told >> turn | told <<", "(told | told <<", "MP2"),
    Mutant(OBSERVE, "(belle | belle << 4) >> seat", "(belle | belle << 4) >> 0", "MP3"),
    Mutant(OBSERVE, "belle = int(hand.belle_shown)", "belle = int(hand.belle)", "MP3"),
    Mutant(OBSERVE, "(int(hand.scoring) ^ seat) & 1", "int(hand.scoring) & 1", "MP2"),
    Mutant(OBSERVE, ">> 4 * seat + 4 & 0xFFF", ">> 4 * seat & 0xFFF", "M13"),
    Mutant(OBSERVE, "int(hand.known[left]) & ~p1", "int(hand.known[left])", "MP2"),
    Mutant(
        OBSERVE,
        "extra += BELLE * int(int(hand.belle_shown)",
        "extra += BELLE * int(int(hand.belle)",
        "MP3",
    ),
    Mutant(OBSERVE, "(low | points - low << 8)", "low", "M26"),
    Mutant(OBSERVE, "team = seat + k & 1", "team = k", "M26"),
    Mutant(OBSERVE, "plies - int(plies == N_CARDS) >> 2", "plies >> 2", "M12"),
]

_FILES: Final = ("deal", "order", "play", "melds", "settlement", "games", "examples")
SUITES: Final = (
    Suite(
        "klammern",
        tuple(f"tests/env/rules/test_klammern_{name}.py" for name in _FILES),
        (*_DEAL, *_ORDER, *_PLAY, *_MELDS, *_SCORES, *_GAMES, *_PUBLIC),
    ),
    Suite(
        "klammern",
        ("tests/env/test_observe.py", "-k", "every_part and klammern"),
        tuple(_OBSERVATION),
    ),
)
