"""How does a command line of this house read its settings, speak and fail?"""
