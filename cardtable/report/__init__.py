"""The report on stored games: one page about what was played, who is better, and how the games went."""
