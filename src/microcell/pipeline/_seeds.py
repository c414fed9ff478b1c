"""Seeds of shards: from a root key that stays where it was made."""

from __future__ import annotations

import hmac
import secrets


def root_key(random_state: int | None) -> bytes:
    """The key that seeds follow from: of a seed, or fresh."""
    if random_state is None:
        return secrets.token_bytes(32)
    return str(random_state).encode()


def seed_of(key: bytes, shard: int) -> int:
    """The seed of a shard, from which neither the key nor another seed follows.

    Examples
    --------
    >>> key = root_key(7)
    >>> seed_of(key, 0) == seed_of(key, 0), seed_of(key, 0) == seed_of(key, 1)
    (True, False)
    """
    digest = hmac.digest(key, str(shard).encode(), "sha256")
    return int.from_bytes(digest[:7])
