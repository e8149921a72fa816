"""What does a Word document say?"""
