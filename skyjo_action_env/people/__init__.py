"""How people meet Skyjo Action; `program` comes first."""
