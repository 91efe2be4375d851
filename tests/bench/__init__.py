"""Speed, measured beside a bare script or statement in the same run. `make bench` runs it."""
