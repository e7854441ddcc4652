"""How people meet Skyjo; `program` comes first."""
