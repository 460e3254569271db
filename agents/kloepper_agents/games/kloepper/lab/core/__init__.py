"""What every question of the lab shares: plans, hands played on, opportunities, options."""
