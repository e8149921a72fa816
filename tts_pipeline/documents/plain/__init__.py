"""What do the lines of a plain text mean, where nothing but their look tells?"""
