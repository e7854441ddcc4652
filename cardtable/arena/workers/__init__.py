"""Workers that play the pieces of a plan: threads and processes of this machine, or the nodes of a cluster."""
