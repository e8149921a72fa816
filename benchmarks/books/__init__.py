"""How fast does a text become an audiobook, beside what does the same by hand?"""
