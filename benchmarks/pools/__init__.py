"""How are the workers of each queue started, the way its own users start them?"""
