"""Files from strangers: right digests and wrong contents, of every kind that is read back."""
