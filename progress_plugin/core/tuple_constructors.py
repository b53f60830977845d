# mypy: ignore-errors
"""What makes a named tuple of so many fields, for `core.light_typing`: compiled once, with this module.

To compile one as its class is made takes 0.05 ms, and hooks need fifteen. A class of more fields has its own
compiled there, which puts `_new` beside the code that it takes from here.
"""

# ruff: noqa: E501, F821
# fmt: off
CONSTRUCTORS = (
    lambda _, a: _new(_, (a,)),
    lambda _, a, b: _new(_, (a, b)),
    lambda _, a, b, c: _new(_, (a, b, c)),
    lambda _, a, b, c, d: _new(_, (a, b, c, d)),
    lambda _, a, b, c, d, e: _new(_, (a, b, c, d, e)),
    lambda _, a, b, c, d, e, f: _new(_, (a, b, c, d, e, f)),
    lambda _, a, b, c, d, e, f, g: _new(_, (a, b, c, d, e, f, g)),
    lambda _, a, b, c, d, e, f, g, h: _new(_, (a, b, c, d, e, f, g, h)),
    lambda _, a, b, c, d, e, f, g, h, i: _new(_, (a, b, c, d, e, f, g, h, i)),
    lambda _, a, b, c, d, e, f, g, h, i, j: _new(_, (a, b, c, d, e, f, g, h, i, j)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k: _new(_, (a, b, c, d, e, f, g, h, i, j, k)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1, h1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1, h1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1, h1, i1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1, h1, i1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1, h1, i1, j1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1, h1, i1, j1)),
    lambda _, a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1: _new(_, (a, b, c, d, e, f, g, h, i, j, k, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1)),
)
