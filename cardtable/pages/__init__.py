"""HTML pages and SVG pictures: what all of them share."""
