"""Measures of play beyond margins: what a seat believes, what knowing a policy gains."""
