"""The consistent deals of a View of Kloepper: counted, listed, drawn and weighed."""
