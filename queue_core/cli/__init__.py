"""The command line of the queue: `queuectl`."""
