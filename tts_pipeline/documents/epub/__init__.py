"""What is in an EPUB, and in which order is it read?"""
