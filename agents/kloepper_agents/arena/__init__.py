"""Duplicate matches between agents: deals, tables, statistics, leagues and reports."""
