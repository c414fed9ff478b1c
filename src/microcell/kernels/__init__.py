"""Numba code that two or more parts share: arrays in, arrays out, no checks."""
