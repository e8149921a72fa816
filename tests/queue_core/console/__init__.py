"""What `queuectl` does, as a user types it."""
