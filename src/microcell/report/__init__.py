"""A release as people look at it: its facts, one page of them, and pictures."""
