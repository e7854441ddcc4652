"""The programs that people use: the games, the commands, the terminal, the table and the web pages."""
