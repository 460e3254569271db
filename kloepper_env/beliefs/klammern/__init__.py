"""The consistent deals of a View of Klammern: drawn, each as likely as any other."""
