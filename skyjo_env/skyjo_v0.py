"""Skyjo for PettingZoo."""

