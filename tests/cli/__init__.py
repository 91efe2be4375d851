"""See the names of the tests: each is a promise."""
