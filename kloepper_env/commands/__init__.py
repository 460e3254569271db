"""The commands of this package: rules, replay, and solve for Kloepper."""
