"""The rules of the ledger, pure: no I/O, no clock or randomness of its own.

Everything above imports from here and nothing here imports from above.
"""
