"""Searches of Kloepper: its worlds, the solver as a leaf, the tree of `ismcts`, and `oracle`."""
