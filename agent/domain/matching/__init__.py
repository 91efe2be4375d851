"""Which of the posts that a look read is the job's own; pure, no I/O.

`match` gives a verdict: unique, none or ambiguous, with every gate and score of every post. What
is not known never confirms. The rules: docs/decisions/0010-matching.md.
"""
