"""Tests of Skyjo Action."""
