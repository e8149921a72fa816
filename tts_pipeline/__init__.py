"""Turns shelves of text into audiobooks, on queue_core."""
