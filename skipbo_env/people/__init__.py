"""How people meet Skip-Bo; `program` comes first."""
