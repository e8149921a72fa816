"""What does a promise of speed cost, measured on this machine?"""
