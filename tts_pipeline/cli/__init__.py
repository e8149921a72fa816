"""What does the command `tts-pipeline` offer?"""
