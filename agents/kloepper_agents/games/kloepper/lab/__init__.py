"""Decision research: when to knock, knock off, call which ace, or play alone.

Every question is asked in the same way: a seat follows a `Plan` at given decisions, everybody
plays on by what he sees, and what the plans bring is compared on the same deals with the same luck.
"""
