"""The table of all hands: made, distilled into rules of thumb, and checked against search."""
