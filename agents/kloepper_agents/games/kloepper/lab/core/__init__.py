"""What every question of the lab shares: plans, hands played on, chances, options compared."""
