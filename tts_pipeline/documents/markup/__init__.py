"""What does XML or HTML say, once its tags are read as what they mean?"""
