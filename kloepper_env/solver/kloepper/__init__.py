"""Alpha-beta search of Kloepper with open cards: positions, cuts, a transposition table."""
