"""What decision research of any game shares: processes, intervals, trees of rules."""
