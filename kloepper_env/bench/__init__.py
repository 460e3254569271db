"""Speed of the hot paths of this package; `kloepper bench` runs them by name."""
