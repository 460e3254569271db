"""The Kloepper environment of PettingZoo: `kloepper_v0.env(...)`, `kloepper_v0.raw_env(...)`.

| fact               | value                                                              |
|--------------------|--------------------------------------------------------------------|
| import             | `from kloepper_env import kloepper_v0`                             |
| registry           | `pettingzoo.make("aec", "kloepper/kloepper-v0")`                   |
| agents             | `player_0` ... `player_3`: the seats, clockwise                    |
| actions            | discrete, 30: 24 cards and 6 announcements; always masked          |
| observation        | int8 [288], or [292] for games; one Box in a Dict with the mask    |
| action mask        | int8 [30], in `observation["action_mask"]` and in the info         |
| parallel           | no: seats decide one after the other                               |
| decisions of a hand| 4 to 60                                                            |
| rules              | seeds/rules/kloepper.md                                            |

**Who decides when.** A hand alternates between announcement rounds and cards. Announcements are
further decisions of an agent, so an agent may decide several times before the next one does:

    round   card    round   card    round   card    round   card    round   card ... card
    ask* -> lead -> ask* -> 2nd  -> ask* -> 3rd  -> ask* -> 4th  -> ask* -> trick 2 to trick 6
                    ask*: those who may announce, clockwise from the seat whose card is next;
                          an announcement starts the asking anew

`agent_selection` tells whom a round asks, and being asked shows a black queen: it is for the
program that runs the table, not for the agents. With the rule `prompt_all` everybody is asked.

**Observation.** `env.unwrapped.layout["table.2"]` is the slice of a part. Seats are relative to
the observer: 0 is the observer, 1 the seat at its left, 2 opposite, 3 the seat at its right.

| part                 | size   | meaning                                                        |
|----------------------|--------|----------------------------------------------------------------|
| `hand`               | 24     | cards held                                                     |
| `played.0` ... `.3`  | 4 x 24 | cards each seat has played                                     |
| `table.0` ... `.3`   | 4 x 24 | its card in the trick in play                                  |
| `void.1` ... `.3`    | 3 x 4  | did not follow clubs, spades, hearts, trumps                   |
| `ally`, `enemy`      | 3, 3   | seats 1 to 3 certainly on the observer's side, on the other    |
| `queens`             | 2      | was dealt the queen of clubs, of spades                        |
| `called_me`          | 1      | was dealt the called ace                                       |
| `caller`, `called`   | 4, 3   | seat that called; clubs, spades or hearts                      |
| `knocker`, `lone`    | 4, 1   | seat that knocked; it plays alone                              |
| `knocked_off`        | 4      | seat that knocked off                                          |
| `dealer`, `leader`   | 4, 4   | seats that dealt, and lead or led the trick in play            |
| `player`, `winning`  | 4, 4   | seats whose card is next, and whose card wins so far           |
| `led`                | 4      | suit led                                                       |
| `announcing`         | 1      | the observer is asked for an announcement                      |
| `trick`              | 6      | number of the trick in play                                    |
| `points.0` ... `.3`  | 4 x 1  | card points taken, 0 to 120                                    |
| `tricks.0` ... `.3`  | 4 x 1  | tricks taken, 0 to 6                                           |
| `needs.0` ... `.3`   | 4 x 1  | games only: points still needed to win, at most 127            |

**Actions.** `env.unwrapped.action_names[a]` is the name of action a: 0 to 23 play a card, in the
order QC QS JC JS JH JD AD TD KD QD 9D, AC TC KC 9C, AS TS KS 9S, AH TH KH QH 9H; 24 `pass`,
25 `knock`, 26 `knock_off`, 27 to 29 `call:C`, `call:S`, `call:H`.

**Rewards** come to all four agents when a hand ends, else they are 0. `reward="points"`: what the
seat scores, 0 to 30. `"relative"`: minus the mean of the four, so a hand sums to 0. `"win"` (only
games): 1 to the winner when the game ends; winners who are level share it.

**Episodes.** `episode="hand"` is one hand, its dealer drawn from the seed. `"game"` plays hands
until somebody has won (K29 to K31), the dealer moving on as K6 says.

**Seeds.** The episode that `reset(seed=s)` begins has hand 0 of seed s, the hand of
`State.deal(seed=s)`; what follows it, in a game or after `reset()`, has hands 1, 2, ... of it.
Spaces have generators of their own: seed them with `action_space(agent).seed(s)`.

**Short packs.** `rules={"pack": 12}` or `8` deals three or two cards to a seat (K32); layout and
actions stay.

**Options of reset.** `deck`: all cards in dealing order, as text or list; `dealer`: 0 to 3.

**Illegal actions.** `raw_env` raises IllegalActionError and nothing has changed. `env` ends the
episode: who acted gets -1 or, with `reward="relative"`, the worst that a hand can bring
(-22.5), the others 0. `infos[agent]["ended_by"]` is then "illegal_action", else "play".
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
    return CardGameEnv("kloepper", **settings)


def env(**settings: Any) -> OrderEnforcing:
    """The environment in PettingZoo's usual wrappers; `settings` as in `raw_env`."""
    return wrap(raw_env(**settings))
