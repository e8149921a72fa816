"""The stores that a queue can live in."""
