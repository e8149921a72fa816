"""How do rendered sentences become a book that players can open?"""
