"""The app: a page on this machine, from a file to a release; all of it the library's.

What a browser asks for becomes a job of the library in a process of its own, and what
comes back is what the library says.
"""
