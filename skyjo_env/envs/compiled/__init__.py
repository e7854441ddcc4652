"""What the environments add to the rules, compiled: rewards, one seat at many tables, and one-hot vectors."""
