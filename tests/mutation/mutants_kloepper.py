"""Mutants of Kloepper."""

from typing import Final

from tests.mutation.mutant import Mutant, Suite

_GAME: Final = "kloepper_env/games/kloepper/"
KERNELS, RECORD, MATCH = _GAME + "kernels.py", _GAME + "record.py", _GAME + "match.py"
OBSERVE, OPTIONS, GAME = _GAME + "observe.py", _GAME + "options.py", _GAME + "__init__.py"
TRICKS: Final = "kloepper_env/tricks.py"

_CARDS: Final = [
    Mutant(RECORD, '"QC QS JC', '"QS QC JC', "K2"),
    Mutant(RECORD, "AD TD KD QD 9D AC", "AD TD QD KD 9D AC", "K2"),
    Mutant(RECORD, "(4, 4, 5, 11)", "(4, 4, 5, 10)", "K2"),
    Mutant(RECORD, "AC TC KC 9C AS", "TC AC KC 9C AS", "K3"),
    Mutant(RECORD, "N_CARDS - card  # a card of the suit led", "card + 1  #", "K3"),
    Mutant(RECORD, '"T": 10', '"T": 9', "K4"),
    Mutant(RECORD, '"9": 0', '"9": 1', "K4"),
    Mutant(RECORD, "(dealer + 1 + i) % N_SEATS", "(dealer + i) % N_SEATS", "K5"),
    Mutant(RECORD, "for start in (0, 3)", "for start in (3, 0)", "K5"),
    Mutant(RECORD, "(dealer + 1 + packet)", "(dealer + packet)", "K5"),
    Mutant(RECORD, "strength[:, card]", "strength[s, card]", "K9"),
    Mutant(RECORD, "1 << ACE_SPADES | 1 << ACE_HEARTS", "1 << ACE_SPADES", "K12"),
    Mutant(RECORD, "BLACK_QUEENS: Final = 0b11", "BLACK_QUEENS: Final = 0b01", "K10"),
]
_TRICKS: Final = [
    Mutant(TRICKS, "int(follow[led])", "int(follow[-2])", "K8"),
    Mutant(TRICKS, "return following if following else held", "return held", "K8"),
    Mutant(TRICKS, "strength[led, card] > ", "strength[led, card] >= ", "K9"),
    Mutant(TRICKS, "strength[led, best])", "strength[3, best])", "K9"),
    Mutant(TRICKS, "seats << n_seats) >> start", "seats << n_seats) >> start + 1", "O2"),
    Mutant(TRICKS, "distance = lowest((seats | seats", "distance = lowest((seats | 0", "O2"),
    Mutant(TRICKS, " >> start | 1 << n_seats)", " >> start | 1 << n_seats - 1)", "O2"),
    Mutant(TRICKS, "else seat - n_seats", "else 0", "O2"),
    Mutant(
        KERNELS, "deposit(int(tables[OFFSET_18 + b]), left)", "int(tables[OFFSET_18 + b])", "K5"
    ),
    Mutant(KERNELS, "hand.hands[3] = left ^ ", "hand.hands[3] = left | ", "K5"),
    Mutant(KERNELS, "dealer if dealer >= 0 else", "dealer if dealer > 0 else", "K6"),
    Mutant(KERNELS, "hand.leader = dealer + 1 & 3", "hand.leader = dealer", "K7"),
    Mutant(KERNELS, "hand.player = seat + 1 & 3", "hand.player = seat + 3 & 3", "K7"),
    Mutant(KERNELS, "hand.player = winner", "hand.player = hand.player", "K7"),
    Mutant(KERNELS, "int(hand.hands[seat]), int(hand.led)", "int(hand.hands[seat]), NONE", "K8"),
    Mutant(KERNELS, "led = suit if hand.led == NONE else int(hand.led)", "led = suit", "K9"),
    Mutant(KERNELS, "beats(card, int(hand.best), led", "beats(card, NO_CARD, led", "K9"),
    Mutant(KERNELS, "hand.winner += takes * (seat", "hand.winner += (seat", "K9"),
    Mutant(KERNELS, "<< 8 * winner | 1", "<< 8 * int(hand.leader) | 1", "K20"),
    Mutant(KERNELS, "32 + 8 * winner", "32 + 8 * int(hand.leader)", "K22"),
    Mutant(
        KERNELS,
        "hand.table_points = 0\n    hand.led",
        "hand.led",
        "K4",
    ),
]
_ROUNDS: Final = [
    Mutant(KERNELS, "TRICK_ONE = N_SEATS ", "TRICK_ONE = 2 * N_SEATS ", "O1"),
    Mutant(KERNELS, "hand.plies <= TRICK_ONE", "hand.plies < TRICK_ONE", "O1"),
    Mutant(KERNELS, "next_in(seats, int(hand.player)", "next_in(seats, int(hand.leader)", "O2"),
    Mutant(KERNELS, "announcements(hand, seat) | 1 << PASS", "announcements(hand, seat)", "O2"),
    Mutant(KERNELS, "hand.asked &= ~(1 << seat)", "hand.asked = 0", "O2"),
    Mutant(KERNELS, "int(hand.asked), seat + 1 & 3", "int(hand.asked), seat", "O3"),
    Mutant(KERNELS, "FLAG_PROMPT_ALL else hand.able", "FLAG_PROMPT_ALL else 0", "O3"),
    Mutant(KERNELS, "else hand.able\n", "else hand.able & ~(1 << seat)\n", "O3"),
    Mutant(KERNELS, "hand.plies < TRICK_ONE:", "hand.plies <= TRICK_ONE:", "O4"),
    Mutant(KERNELS, "seats &= 1 << int(hand.player)", "seats &= 1 << int(hand.leader)", "O4"),
    Mutant(KERNELS, "FLAG_PROMPT_ALL else int(hand.able)", "0 else int(hand.able)", "O5"),
    Mutant(KERNELS, "FLAG_PROMPT_ALL else hand.able", "0 else hand.able", "O5"),
]
_ANNOUNCEMENTS: Final = [
    Mutant(KERNELS, "BLACK_QUEENS != 0) << seat", "BLACK_QUEENS == 3) << seat", "K10"),
    Mutant(KERNELS, "hand.queens != 1 << seat or ", "", "K11"),
    Mutant(KERNELS, "or hand.caller != NONE or", "or", "K11"),
    Mutant(KERNELS, " or hand.played[seat] != 0:", ":", "K11"),
    Mutant(KERNELS, "int(hand.hands[other]) & ace != 0) << other", "other > seat) << other", "K11"),
    Mutant(KERNELS, "gone = int(hand.hands[seat])", "gone = 0", "K12"),
    Mutant(KERNELS, "gone |= int(hand.played[other])", "gone |= 0", "K12"),
    Mutant(KERNELS, "free >> ACE_SPADES & 1", "free >> ACE_CLUBS & 1", "K12"),
    Mutant(KERNELS, "free >> ACE_HEARTS & 1) << 2", "free >> ACE_HEARTS & 1) << 1", "K12"),
    Mutant(KERNELS, "[*FIRST_OF_SUIT[:3], -1]", "[*FIRST_OF_SUIT[2::-1], -1]", "K11"),
    Mutant(KERNELS, "return able << KNOCK_OFF", "return able << KNOCK", "K15"),
    Mutant(KERNELS, "return able << KNOCK | ", "return 1 << KNOCK | ", "K15"),
    Mutant(KERNELS, "hand.able = queens", "hand.able = 15", "K15"),
    Mutant(KERNELS, "FLAG_PARTNER_MAY_KNOCK:", "~0:", "K16"),
    Mutant(KERNELS, "hand.able = hand.black", "hand.able = hand.queens", "K16"),
    Mutant(
        KERNELS, "hand.lone = popcount(int(hand.black))", "hand.lone = popcount(hand.queens)", "K17"
    ),
    Mutant(KERNELS, "hand.able = 0 if hand.lone else ALL", "hand.able = ALL", "K18"),
    Mutant(
        KERNELS, "else ALL_SEATS & ~int(hand.black)", "else ALL_SEATS & ~int(hand.queens)", "K18"
    ),
    Mutant(KERNELS, "else ALL_SEATS & ~int(hand.black)", "else ALL_SEATS & ~(1 << seat)", "K18"),
    Mutant(
        KERNELS,
        "hand.knocked_off = seat\n            hand.able = 0",
        "hand.knocked_off = seat",
        "K18",
    ),
    Mutant(KERNELS, "hand.able &= -", "hand.able &= ~0 | -", "K18"),
]
_SCORES: Final = [
    Mutant(KERNELS, "return 18 if alone else 6", "return 12 if alone else 6", "K21"),
    Mutant(KERNELS, "return 18 if alone else 6", "return 18 if alone else 4", "K20"),
    Mutant(KERNELS, "points > 60", "points >= 60", "K20"),
    Mutant(KERNELS, "points > 90", "points >= 90", "K20"),
    Mutant(KERNELS, "points > 90", "points > 91", "K20"),
    Mutant(KERNELS, "return 12 if alone else 4", "return 12 if alone else 2", "K20"),
    Mutant(KERNELS, "return 6 if alone else 2", "return 4 if alone else 2", "K21"),
    Mutant(KERNELS, "points == 60", "points == 59", "K20"),
    Mutant(KERNELS, "return -4 if alone else -2", "return -6 if alone else -2", "K21"),
    Mutant(KERNELS, "points >= 30", "points > 30", "K20"),
    Mutant(KERNELS, "return -6 if alone else -4", "return -6 if alone else -6", "K20"),
    Mutant(KERNELS, "return -12 if alone else -6", "return -6 if alone else -6", "K21"),
    Mutant(KERNELS, "hand.won |= 1 << winner", "hand.won = 1 << winner", "K22"),
    Mutant(
        KERNELS,
        " == 0 and hand.plies == N_CARDS",
        " == 0",
        "K22",
        "a hand that ends before the sixth trick has lost one, so it is not swept either way",
    ),
    Mutant(KERNELS, "(int(hand.black) >> seat & 1)", "(int(hand.queens) >> seat & 1)", "K23"),
    Mutant(
        KERNELS, "swept, popcount(int(hand.black)) == 1", "swept, popcount(hand.queens) == 1", "K23"
    ),
    Mutant(KERNELS, "= 12, 24, 30", "= 6, 24, 30", "K24"),
    Mutant(KERNELS, "unanswered = stake == STAKE_KNOCK", "unanswered = True", "K24"),
    Mutant(KERNELS, "(FLAG_FAILED_NORMAL | FLAG_FAILED_NONE)", "FLAG_FAILED_NONE", "K24"),
    Mutant(KERNELS, "(FLAG_FAILED_NORMAL | FLAG_FAILED_NONE)", "FLAG_FAILED_NORMAL", "K24"),
    Mutant(
        KERNELS,
        "            return 0\n    return normal",
        "            return -stake\n    return normal",
        "K24",
    ),
    Mutant(KERNELS, "= 12, 24, 30", "= 12, 12, 30", "K25"),
    Mutant(
        KERNELS,
        "STAKE_KNOCK if hand.knocked_off == NONE",
        "STAKE_KNOCK if hand.caller == NONE",
        "K25",
    ),
    Mutant(KERNELS, "= 12, 24, 30", "= 12, 24, 24", "K26"),
    Mutant(KERNELS, "if hand.lone:", "if False:", "K26"),
    Mutant(KERNELS, "else max(-points, 0)", "else 0", "K27"),
    Mutant(KERNELS, "max(points, 0) if black", "abs(points) if black", "K27"),
    Mutant(KERNELS, "(lost and hand.stops != 0)", "lost", "K28"),
    Mutant(
        KERNELS, "hand.plies == N_CARDS or (lost and", "hand.plies == N_CARDS or (False and", "K28"
    ),
    Mutant(
        KERNELS,
        "lost = int(hand.won) & ~int(hand.black)",
        "lost = int(hand.won) & ~int(hand.queens)",
        "K28",
    ),
    Mutant(KERNELS, "if ends_trick and not hand.asked", "if ends_trick", "K28"),
    Mutant(
        KERNELS,
        "hand.turn = hand.player\n        _end_if_decided(hand)",
        "hand.turn = hand.player",
        "K28",
    ),
    Mutant(
        KERNELS, "hand.knocked_off == NONE and not hand.lone", "hand.knocked_off == NONE", "K28"
    ),
    Mutant(KERNELS, "hand.knocked_off == NONE and not hand.lone", "not hand.lone", "K28"),
    Mutant(KERNELS, "FLAG_STOP) and not", "~0) and not", "K28"),
    Mutant(KERNELS, "FLAG_FAILED_NORMAL and unanswered", "0 and unanswered", "K28"),
    Mutant(GAME, "if whole else None", "if True else None", "K28"),
    Mutant(OPTIONS, '(self.failed_knock == "none")', '(self.failed_knock != "stake")', "K24"),
]
_GAMES: Final = [
    Mutant(MATCH, "scorekeeper + 1)", "scorekeeper)", "K6"),
    Mutant(MATCH, "outcome.dealer + 1", "outcome.dealer + 3", "K6"),
    Mutant(MATCH, "total + gain for", "gain for", "K29"),
    Mutant(MATCH, "total >= self", "total > self", "K29"),
    Mutant(MATCH, ">= self.options.target", ">= 30", "K29"),
    Mutant(MATCH, "self.options.target - total", "30 - total", "K29"),
    Mutant(MATCH, "max(self.options.target - total, 0)", "self.options.target - total", "K29"),
    Mutant(MATCH, "reversed(self.history[:-1])", "reversed(self.history)", "K30"),
    Mutant(MATCH, "reversed(self.history[:-1])", "self.history[:-1]", "K30"),
    Mutant(MATCH, "reversed(self.history[:-1])", "self.history[-2:-1]", "K30"),
    Mutant(MATCH, "most = max(totals[seat]", "most = min(totals[seat]", "K30"),
    Mutant(MATCH, "for seat in candidates if", "for seat in range(N_SEATS) if", "K30"),
    Mutant(MATCH, "return candidates", "return candidates[:1]", "K31"),
]
_OBSERVATION: Final = [
    Mutant(OBSERVE, "| am_black << seat", "| 0", "P1"),
    Mutant(OBSERVE, "(int(hand.hands[seat]) & 1) << seat", "0", "K10"),
    Mutant(OBSERVE, "(int(hand.hands[seat]) >> 1 & 1)", "(int(hand.hands[seat]) & 1)", "K10"),
    Mutant(OBSERVE, " & int(hand.caller == NONE)", "", "K11"),
    Mutant(OBSERVE, "    alone &= 1 - (", "    alone &= 1 | (", "K11"),
    Mutant(OBSERVE, "int(first == second) & ", "1 & ", "K14"),
    Mutant(OBSERVE, "popcount(shown) == 2", "popcount(shown) >= 1", "K10"),
    Mutant(OBSERVE, " | int(hand.lone) | alone", " | alone", "K17"),
    Mutant(OBSERVE, "| int(hand.lone) | alone", "| int(hand.lone)", "K14"),
    Mutant(OBSERVE, "answered = int(hand.knocked_off) + 1", "answered = 0", "K18"),
    Mutant(OBSERVE, "popcount(red) == 2", "popcount(red) == 3", "K18"),
    Mutant(OBSERVE, "swap = (black ^ red) & am_black - 1", "swap = 0", "K10"),
    Mutant(KERNELS, "int(hand.won) & -int(hand.stops)", "0", "K28"),
    Mutant(KERNELS, "int(hand.won) & -int(hand.stops)", "int(hand.won)", "K28"),
    Mutant(KERNELS, "(int(hand.telling) >> card & 1) << seat", "0", "K10"),
    Mutant(KERNELS, "hand.telling |= ace", "hand.telling |= 0", "K11"),
    Mutant(KERNELS, "hand.telling = BLACK_QUEENS", "hand.telling = hand.telling", "K10"),
    Mutant(KERNELS, "(bit & 2) << 3) << seat", "(bit & 2) << 2) << seat", "K10"),
    Mutant(KERNELS, "(suit != led) << 4 * seat + led", "(suit != led) << 4 * seat + suit", "K8"),
    Mutant(KERNELS, "hand.leader = winner", "hand.leader = hand.leader", "K7"),
    Mutant(KERNELS, "hand.winner = NONE\n    hand.leader", "hand.leader", "K7"),
    Mutant(KERNELS, "hand.shown |= 1 << seat\n    hand.lone", "hand.lone", "K15"),
    Mutant(KERNELS, "hand.shown |= 1 << seat\n    hand.telling", "hand.telling", "K11"),
    Mutant(OBSERVE, "mask | mask << 4) >> seat", "mask | mask << 4) >> seat + 1", "P1"),
    Mutant(OBSERVE, "(other - seat & 3)", "(seat - other & 3)", "P1"),
    Mutant(OBSERVE, "int(other != NONE) <<", "1 <<", "P1"),
    Mutant(OBSERVE, ">> 4 * seat + 4 & 0xFFF", ">> 4 * seat & 0xFFF", "K8"),
    Mutant(OBSERVE, "own & BLACK_QUEENS", "int(hand.hands[seat]) & BLACK_QUEENS", "K10"),
    Mutant(OBSERVE, "& ~BLACK_QUEENS != 0", "!= 0", "K11"),
    Mutant(OBSERVE, "int(hand.called) + 1 >> 1", "int(hand.called) + 1", "K11"),
    Mutant(OBSERVE, "_bit(int(hand.leader), seat)", "_bit(int(hand.player), seat)", "K7"),
    Mutant(OBSERVE, "int(hand.led) + 1 >> 1", "int(hand.led) + 1", "K8"),
    Mutant(OBSERVE, "(hand.asked != 0) & int(hand.turn == seat)", "(hand.asked != 0)", "P2"),
    Mutant(OBSERVE, "_bit(int(hand.player), seat)", "_bit(int(hand.turn), seat)", "P2"),
    Mutant(OBSERVE, "plies - int(plies == N_CARDS) >> 2", "plies >> 2", "K7"),
    Mutant(OBSERVE, "t0 >> 8 | t1 << 16", "t0 >> 8 | t1 << 17", "P1"),
    Mutant(OBSERVE, "(points | points << 32) >> 8 * seat", "(points | points << 32) >> 0", "K4"),
    Mutant(OBSERVE, "(tricks | tricks << 32) >> 8 * seat", "(tricks | tricks << 32) >> 0", "K7"),
]

SUITES: Final = (
    Suite(
        "kloepper",
        ("tests/env/rules", "tests/env/test_tricks_tables.py"),
        (*_CARDS, *_TRICKS, *_ROUNDS, *_ANNOUNCEMENTS, *_SCORES, *_GAMES),
    ),
    Suite(
        "kloepper",
        ("tests/env/test_observe.py", "-k", "every_part and kloepper"),
        tuple(_OBSERVATION),
    ),
)
