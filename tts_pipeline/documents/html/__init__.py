"""What does a page of HTML say, beside its menus?"""
