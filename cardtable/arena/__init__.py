"""The arena: matches and plans, workers, stored games, statistics, ratings, exams and results."""
