"""What proves that every sentence of a book is in its file?"""
