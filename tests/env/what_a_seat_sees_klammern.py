"""The observation of a seat of Klammern, put together slowly from what its View tells in words.

Nothing here looks at the observation or at a hidden card.
"""

from kloepper_env.view import View

RANKS, SUITS = "789TJQKA", "CSHD"
CODES = [rank + suit for suit in SUITS for rank in RANKS]
TRUMP_ORDER, PLAIN_ORDER = "J9ATKQ87", "ATKQJ987"
TRUMP_POINTS = dict(zip(TRUMP_ORDER, (20, 14, 11, 10, 4, 3, 0, 0), strict=True))
PLAIN_POINTS = dict(zip(PLAIN_ORDER, (11, 10, 4, 3, 2, 0, 0, 0), strict=True))
MELDS = [  # in the order of the part
    *("terz", "second_terz", "quart", "second_quart", "quint"),
    *("four_100", "second_four_100", "four_150", "four_200"),
]
TENS = {"terz": 2, "quart": 5, "quint": 10, "four_100": 10, "four_150": 15, "four_200": 20}
STEPS = ["choice", "second", "kontra", "re", "melds", "cards"]


class Table:
    """What a seat knows of a hand, read from its View's history and facts."""

    def __init__(self, view: View) -> None:
        self.rules = view.rules
        self.played: list[list[str]] = [[], [], [], []]
        self.trick: list[tuple[int, str]] = []  # the trick in play
        self.leader = (view.dealer + 1) % 4
        self.points, self.tricks = [0, 0], [0, 0]  # by team
        self.voids: set[tuple[int, str]] = set()
        self.trump, self.taker, self.kontra, self.re = "", -1, -1, -1
        self.passes = 0
        facts = [fact.split(":") for fact in view.facts]
        self.turned = facts[0][1]
        self.melds = [[rest[1] for who, *rest in self._of("meld", facts, s)] for s in range(4)]
        self.shown = [{rest[1] for who, *rest in self._of("shown", facts, s)} for s in range(4)]
        self.belle = {int(fact[1]) for fact in facts if fact[0] == "belle"}
        for seat, action in view.history:
            self._take(seat, action)
        self._look(view)

    @staticmethod
    def _of(kind: str, facts: list[list[str]], seat: int) -> list[list[str]]:
        return [fact for fact in facts if fact[0] == kind and fact[1] == str(seat)]

    def _take(self, seat: int, action: str) -> None:
        if action in CODES:
            self._play(seat, action)
        elif action.startswith("take:"):
            self.trump, self.taker = action[-1], seat
        elif action == "kontra":
            self.kontra = seat
        elif action == "re":
            self.re = seat
        else:
            self.passes += action == "pass"

    def _play(self, seat: int, card: str) -> None:
        led = (self.trick or [(seat, card)])[0][1][1]
        if card[1] != led:
            self.voids.add((seat, led))
            if card[1] != self.trump and self._had_to_trump(seat):
                self.voids.add((seat, self.trump))
        self.played[seat].append(card)
        self.trick.append((seat, card))
        if len(self.trick) == 4:
            self.leader = self.winning()
            team = self.leader % 2
            self.tricks[team] += 1
            self.points[team] += sum(self._worth(one) for _, one in self.trick)
            self.trick = []

    def _had_to_trump(self, seat: int) -> bool:
        """Whether a void seat would have had to play any trump it had (M15 to M17)."""
        winner = self.winning()
        if winner % 2 == seat % 2 and self.rules.get("partner_exempt", True):
            return False
        winning = dict(self.trick)[winner]
        return self.rules.get("undertrump") != "free" or winning[1] != self.trump

    def _worth(self, card: str) -> int:
        return (TRUMP_POINTS if card[1] == self.trump else PLAIN_POINTS)[card[0]]

    def winning(self) -> int:
        """The seat whose card wins the trick in play so far; -1 before the first."""
        if not self.trick:
            return -1
        led = self.trick[0][1][1]

        def strength(play: tuple[int, str]) -> int:
            rank, suit = play[1][0], play[1][1]
            if suit == self.trump:
                return 20 - TRUMP_ORDER.index(rank)
            return 10 - PLAIN_ORDER.index(rank) if suit == led else 0

        return max(self.trick, key=strength)[0]

    def known(self, view: View, seat: int) -> set[str]:
        """The cards that everybody knows a seat to hold."""
        cards = set(self.shown[seat])
        if seat in self.belle:
            cards |= {"K" + self.trump, "Q" + self.trump}
        if self._owner(view) == seat:
            cards.add(self.turned)
        return cards - set(self.played[seat])

    def _owner(self, view: View) -> int:
        """Who has the turned card (M5, M9)."""
        if self.rules.get("deal") == "3-2-3":
            return view.dealer
        if self.taker >= 0 and self.rules.get("turnup_owner") == "dealer":
            return view.dealer
        return self.taker

    def extra(self, team: int) -> int:
        """Tens for melds that score and for Belle."""
        tens = 0
        for seat in (team, team + 2):
            if self.shown[seat]:
                tens += sum(TENS[meld.removeprefix("second_")] for meld in self.melds[seat])
            tens += 2 * (seat in self.belle)
        return tens

    def scoring(self) -> int:
        """The team whose melds were shown, -1 if none."""
        return next((seat % 2 for seat in range(4) if self.shown[seat]), -1)

    def _look(self, view: View) -> None:
        """The step, and whose turn it is (order of decisions)."""
        first = (view.dealer + 1) % 4
        if self.taker < 0:
            self.step = "choice" if self.passes < 4 else "second"
            self.turn = (first + self.passes) % 4
            return
        # Passes before the take are those of the seats before the taker in the same round.
        done = [action for _, action in view.history]
        after = done[done.index("take:" + self.trump) + 1 :]
        asked = [first, (first + 1) % 4]
        defender = next(seat for seat in asked if seat % 2 != self.taker % 2)
        taker = next(seat for seat in asked if seat % 2 == self.taker % 2)
        n_cards = sum(map(len, self.played))
        said = [action for action in after if action not in CODES]
        if self.kontra < 0 and len(said) < 2:
            self.step, self.turn = "kontra", (defender + 2 * len(said)) % 4
            return
        answers = said[said.index("kontra") + 1 :] if self.kontra >= 0 else []
        if self.kontra >= 0 and self.re < 0 and len(answers) < 2:
            self.step, self.turn = "re", (taker + 2 * len(answers)) % 4
            return
        self.turn = (self.leader + len(self.trick)) % 4
        before = 2 if self.kontra < 0 else said.index("kontra") + 1
        if self.kontra >= 0:
            before += answers.index("re") + 1 if self.re >= 0 else 2
        by_choice = self.rules.get("meld_declare") == "choice"
        is_asked = by_choice and n_cards < 4 and len(said) - before == n_cards
        self.step = "melds" if is_asked else "cards"


def expected(view: View) -> dict[str, list[int]]:
    """The parts of an observation by name."""
    table = Table(view)
    around = [(view.seat + k) % 4 for k in range(4)]  # relative seats 0 to 3
    teams = [view.seat % 2, 1 - view.seat % 2]
    trick = dict(table.trick)
    parts = {"hand": _cards(view.cards), "turned": _cards([table.turned])}
    for k, seat in enumerate(around):
        parts[f"played.{k}"] = _cards(table.played[seat])
        parts[f"table.{k}"] = _cards([trick[seat]] if seat in trick else [])
        parts[f"known.{k}"] = _cards(table.known(view, seat))
        parts[f"void.{k}"] = [int((seat, suit) in table.voids) for suit in SUITS]
        parts[f"melds.{k}"] = [int(meld in table.melds[seat]) for meld in MELDS]
    del parts["void.0"]  # a seat knows its own cards
    for k, team in enumerate(teams):
        points = table.points[team]
        parts[f"points.{k}"] = [min(points, 127), max(points - 127, 0)]
        parts[f"tricks.{k}"] = [table.tricks[team]]
        parts[f"extra.{k}"] = [table.extra(team)]
    for name, seat in (
        ("taker", table.taker),
        ("kontra", table.kontra),
        ("re", table.re),
        ("dealer", view.dealer),
        ("leader", table.leader),
        ("winning", table.winning()),
    ):
        parts[name] = [int(seat == other) for other in around]
    parts["belle"] = [int(seat in table.belle) for seat in around]
    parts["scoring"] = [int(table.scoring() == team) for team in teams]
    led = table.trick[0][1][1] if table.trick else ""
    parts["led"] = [int(led == suit) for suit in SUITS]
    parts["trump"] = [int(table.trump == suit) for suit in SUITS]
    number = min(sum(table.tricks), 7)
    parts["trick"] = [int(number == k) for k in range(8)]
    if not view.over:
        parts["step"] = [int(table.step == step) for step in STEPS]
        parts["turn"] = [int(table.turn == seat) for seat in around]
    return parts


def _cards(cards: list[str] | tuple[str, ...] | set[str]) -> list[int]:
    return [int(code in cards) for code in CODES]
