"""What the arena compiles: rounds of scripted agents, and their luck."""
