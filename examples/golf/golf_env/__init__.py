"""Six-card Golf."""
