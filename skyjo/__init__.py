"""What people use: the commands, the terminal, the table, the web pages and the analysis."""
