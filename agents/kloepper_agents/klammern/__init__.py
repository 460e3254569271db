"""The players of Klammern."""
