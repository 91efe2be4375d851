"""Page objects: each has an address, knows whether it is here, and gives verbs and readers."""
