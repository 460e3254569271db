"""Many deals of one policy, and every decision of one kind played both ways."""
