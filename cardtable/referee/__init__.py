"""A referee: agents of other packages play in processes of their own that get what an agent may know, and nothing else.

Read `guests` first: who plays in a process, and what the rest of the house sees of that. `guest_process` is our end of
the wire, `agent_process` the agent's, `frames` what goes over it. `confinement` takes everything else away, with the
system calls in `linux`. docs/referee.md says what is promised.
"""
