"""What does Markdown say, and where in its source does each word stand?"""
