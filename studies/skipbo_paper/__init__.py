"""Strittmatter's paper put to the test: its evaluation, its sample sizes, and a verdict on each of its claims."""
