"""What the columns of a study's data mean."""

from typing import Final

COLUMNS: Final = {
    "deal": "number of the deal, from 0 on",
    "seat": "seat that could announce, 0 to 3",
    "hand": "cards it held then",
    "action": "what it did",
    "taken": "1 if it did what is studied (alone: never called in this hand)",
    "weight": "opportunities for which this row stands",
    "success": "1 if it comes off when done: in the hand as played, or played again with it",
    "payoff_done": "twice what the seat scores over the mean of all seats, when done",
    "payoff_undone": "the same when it is not done, now and later (call: alone; alone: call; "
    "knock-off: not by anybody)",
    "payoff_waited": "the same when the seat passes now and then plays as the policy does",
    "side_done": "points to each seat of its side, negative if the other side gets them, when done",
    "side_undone": "the same when it is not done, now and later",
    "open_done": "side points double dummy after doing it; empty where it was not done",
    "open_undone": "side points double dummy after the opposite; empty where it was not done",
    "position": "place in trick 1: 0 leads, 3 is last",
    "cards_played": "cards played before: 0 before the lead, 4 after trick 1",
    "trumps": "trumps held",
    "tops": "highest trumps in a row; a partner's black queen does not break it",
    "aces": "aces of clubs, spades and hearts held",
    "voids": "plain suits of which it holds no card",
    "won_trick_1": "1 if it has taken trick 1",
    "foreseen_success": "probability that it comes off, by play-outs; empty without advice",
    "foreseen_gain": "payoff of doing it over passing now, by play-outs; empty without advice",
    "foreseen_valued": "the same by a search player's own explanation; empty without one",
}
"""Column -> meaning, in the order of the file."""
