"""What do workers do for a book: render, encode, publish?"""
