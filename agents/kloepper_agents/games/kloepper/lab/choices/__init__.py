"""Single choices of cards judged: by every deal that the seat must think possible."""
