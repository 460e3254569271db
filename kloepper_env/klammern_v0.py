"""The Klammern environment of PettingZoo: `klammern_v0.env(...)`, `klammern_v0.raw_env(...)`.

| fact               | value                                                              |
|--------------------|--------------------------------------------------------------------|
| import             | `from kloepper_env import klammern_v0`                             |
| registry           | `pettingzoo.make("aec", "kloepper/klammern-v0")`                   |
| agents             | `player_0` ... `player_3`: the seats, clockwise; 0 and 2 partners  |
| actions            | discrete, 40: 32 cards and 8 announcements; always masked          |
| observation        | int8 [560], or [565] for games; one Box in a Dict with the mask    |
| action mask        | int8 [40], in `observation["action_mask"]` and in the info         |
| parallel           | no: seats decide one after the other                               |
| decisions of a hand| 8 (passed out) or 35 to 48                                         |
| rules              | seeds/rules/klammern.md                                            |

**Who decides when.** All but the cards in hand is public, even whose decision it is:

    first choice -> second choice -> Kontra    -> Re     -> 8 tricks
    all four        all four         defenders    takers    (with `meld_declare="choice"` each seat
    until a take    until a take     until one    until one  is asked before its card to trick 1)

A hand that nobody takes is over after eight passes.

**Observation.** `env.unwrapped.layout["known.2"]` is the slice of a part. Seats are relative to the
observer: 0 is the observer, 1 the seat at its left, 2 its partner, 3 the seat at its right; of the
teams 0 is its own.

| part                 | size   | meaning                                                        |
|----------------------|--------|----------------------------------------------------------------|
| `hand`               | 32     | cards held                                                     |
| `played.0` ... `.3`  | 4 x 32 | cards each seat has played                                     |
| `table.0` ... `.3`   | 4 x 32 | its card in the trick in play                                  |
| `known.0` ... `.3`   | 4 x 32 | cards everybody knows it to hold: turned, shown melds, Belle   |
| `turned`             | 32     | the turned card                                                |
| `void.1` ... `.3`    | 3 x 4  | certainly has no clubs, spades, hearts, diamonds               |
| `trump`              | 4      | clubs, spades, hearts, diamonds                                |
| `melds.0` ... `.3`   | 4 x 9  | melds announced: Terz and a second one, Quart and a second     |
|                      |        | one, Quint, four for 100 and a second one, for 150, for 200    |
| `belle`              | 4      | seat that has announced Belle                                  |
| `scoring`            | 2      | team whose melds score                                         |
| `step`               | 6      | first choice, second choice, Kontra, Re, melds, cards          |
| `taker`              | 4      | seat that took                                                 |
| `kontra`, `re`       | 4, 4   | seats that said so                                             |
| `dealer`, `leader`   | 4, 4   | seats that dealt, and lead or led the trick in play            |
| `turn`, `winning`    | 4, 4   | seats that decide, and whose card wins so far                  |
| `led`                | 4      | suit led                                                       |
| `trick`              | 8      | number of the trick in play                                    |
| `points.0`, `.1`     | 2 x 2  | card points of a team: up to 127, and what is over             |
| `tricks.0`, `.1`     | 2 x 1  | tricks of a team, 0 to 8                                       |
| `extra.0`, `.1`      | 2 x 1  | tens that a team has for melds that score and for Belle        |
| `needs.0` ... `.3`   | 4 x 1  | games only: tens (Liga: Augen) still needed, at most 127       |
| `carry.litige`       | 1      | games only: tens suspended by a litige, at most 127            |

**Actions.** `env.unwrapped.action_names[a]` is the name of action a: 0 to 31 play a card, suit by
suit (clubs, spades, hearts, diamonds) in the order 7 8 9 T J Q K A; 32 `pass`, 33 to 36 `take:C`,
`take:S`, `take:H`, `take:D`, 37 `kontra`, 38 `re`, 39 `declare`.

**Rewards** come to all four agents when a hand ends, else they are 0. `reward="points"`: the score
of the seat's team (in Liga mode too), the carry included. `"relative"`: minus the mean of the four,
so a hand sums to 0. `"win"` (only games): 1 to both winners when the game ends.

**Episodes.** `episode="hand"` is one hand, its dealer drawn from the seed. `"game"` plays hands
until a team has won (M31 to M33), the dealer moving on as M8 and M12 say.

**Seeds.** The episode that `reset(seed=s)` begins has hand 0 of seed s, the hand of
`State.deal("klammern", seed=s)`; what follows it, in a game or after `reset()`, has hands 1, 2, ...
of it. Spaces have generators of their own: seed them with `action_space(agent).seed(s)`.

**Options of reset.** `deck`: all cards in dealing order, as text or list; `dealer`: 0 to 3.

**Illegal actions.** `raw_env` raises IllegalActionError and nothing has changed. `env` ends the
episode: who acted gets -1 or, with `reward="relative"`, the worst that a hand can bring
(-1664 by default), the others 0. `infos[agent]["ended_by"]` is then "illegal_action", else "play".
In a game the hands that were to come are not paid.

**Drawing.** `render_mode="ansi"` returns text, `"svg"` a picture, `"rgb_array"` its pixels (extra
`render`), `"human"` prints the text after every step; `render_seat=2` draws what seat 2 knows.

**Snapshots.** `get_state()`, `set_state(state)`, `clone()`, `copy.deepcopy` and `pickle` keep the
episode in play with the stream of its seed. `state()`, for critics, is all seats' observations.

**Versions.** v0: first.
"""

from typing import Any

from kloepper_env.envs.aec import CardGameEnv
from kloepper_env.envs.wrappers import OrderEnforcing, wrap

__all__ = ["env", "raw_env"]


def raw_env(**settings: Any) -> CardGameEnv:
    """The environment itself; `settings` are those of CardGameEnv, all of them optional."""
    return CardGameEnv("klammern", **settings)


def env(**settings: Any) -> OrderEnforcing:
    """The environment in PettingZoo's usual wrappers; `settings` as in `raw_env`."""
    return wrap(raw_env(**settings))
