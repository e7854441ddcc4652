"""Reichel (2026) reproduced and checked: its table and figures, its claims, its variants, one report."""
