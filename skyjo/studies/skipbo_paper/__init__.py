"""Strittmatter's paper carried out and judged: its evaluation, its sample sizes, a verdict on each of its claims."""
