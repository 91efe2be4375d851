"""`python -m agent.cli` is `postproof`, by whatever Python runs it."""

from agent.cli.main import main

main()
