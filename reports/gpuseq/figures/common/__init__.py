"""Kinds of figures that several families have, and the parts that they share."""
