"""What any command line of this house can rely on."""
