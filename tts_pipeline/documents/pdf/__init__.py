"""What does a PDF say, which knows nothing but where on its pages each character stands?"""
