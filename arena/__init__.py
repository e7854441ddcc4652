"""Who is better: agents play matches on paired deals, and the paper's numbers are put to the test."""
