"""Environments with the interfaces of PettingZoo and Gymnasium, for any game of the engine."""
