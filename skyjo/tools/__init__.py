"""Tables for programs that read and write text, such as language models."""
