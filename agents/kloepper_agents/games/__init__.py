"""The games: a folder each, with everything of one game that chooses or measures.

They do not know each other. What the rest of the package may ask of a game stands in its `PLAYERS`.
"""
