"""Agents: by name, as scripts in compiled code, as searches, and as learned policies."""
