"""One hand, or one position of a hand in play: what each announcement is worth."""
