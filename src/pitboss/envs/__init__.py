"""The games as environments for learning agents, in the forms Gymnasium and PettingZoo define.

Here belong the translation of a table into an observation, of an action number into a command, and of a settlement
into a reward; and the compiled rounds that play thousands of tables in step, which a test holds to the table. The
rounds of a single environment are played by `table`, the worth of a choice comes from `odds`; nothing about a game is
decided here.

Importing this room registers every game with Gymnasium, as `pitboss/melbourne-pontoon-v0` and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitboss.envs.fields import FIELDS, Action, Field, Stage, name_fields
from pitboss.errors import PitbossError
from pitboss.rulebooks import games

try:
    import gymnasium
except ImportError:
    raise PitbossError("environments need the extra 'envs': pip install 'pitboss-blackjack[envs]'") from None

if TYPE_CHECKING:
    from pitboss.envs.several import BoxesAtOnceEnv as BoxesAtOnceEnv
    from pitboss.envs.several import BoxesEnv as BoxesEnv
    from pitboss.envs.single import BoxEnv as BoxEnv
    from pitboss.envs.vector import VectorBoxEnv as VectorBoxEnv

__all__ = [
    "FIELDS", "IDS", "Action", "BoxEnv", "BoxesAtOnceEnv", "BoxesEnv", "Field", "Stage", "VectorBoxEnv", "env_id",
    "name_fields",
]  # fmt: skip

VERSION = 0
"""Goes up when the same seed or the same agent would get different results."""


def env_id(game: str) -> str:
    """The id of a game among Gymnasium's environments: `pitboss/star-blackjack-v0` for `star/blackjack`."""
    return f"pitboss/{game.replace('/', '-')}-v{VERSION}"


IDS = tuple(env_id(game) for game in games())
"""The ids of all games."""


def __getattr__(name: str) -> Any:
    """The environments, imported when they are first asked for: kernels and PettingZoo take their time."""
    if name == "BoxEnv":
        from pitboss.envs.single import BoxEnv

        return BoxEnv
    if name == "VectorBoxEnv":
        from pitboss.envs.vector import VectorBoxEnv

        return VectorBoxEnv
    if name == "BoxesEnv":
        from pitboss.envs.several import BoxesEnv

        return BoxesEnv
    if name == "BoxesAtOnceEnv":
        from pitboss.envs.several import BoxesAtOnceEnv

        return BoxesAtOnceEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


for _game in games():
    gymnasium.register(
        env_id(_game),
        entry_point="pitboss.envs.single:BoxEnv",
        vector_entry_point="pitboss.envs.vector:VectorBoxEnv",
        kwargs={"game": _game},
    )
