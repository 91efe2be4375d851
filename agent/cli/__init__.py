"""The command line: one module per family of commands; `main` is the entry point."""
