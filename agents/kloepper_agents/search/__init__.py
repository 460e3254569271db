"""Players that think ahead: they draw the hidden cards, try each action, and compare.

All of them get a View and nothing else; only `oracle`, a yardstick, sees the cards.
"""
