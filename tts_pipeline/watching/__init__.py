"""How does a folder of texts become, and stay, a folder of audiobooks?"""
