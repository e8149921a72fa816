"""`python -m tts_pipeline` is `tts-pipeline`."""

from tts_pipeline.cli.main import main

main()
