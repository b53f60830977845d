"""placeholder"""

WEIGHTS: dict[str, float] = {}
