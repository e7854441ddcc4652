"""A referee: agents of other packages play in processes of their own that get only what an agent may know.

Read `guests` first: which agents play in a process, and how the rest of the package sees them. `guest_process` is our
end of the connection, `agent_process` the agent's, and `frames` the protocol between them. `confinement` takes
everything else away from the process, with the system calls in `linux`. docs/referee.md says what is promised.
"""
