"""The work: lanes, one attempt at a time per account, the sweep, the bell.

`daemon` runs it all; `lane` is one account's order; `deliver` is one attempt; `journal` is its
durable record. Nothing here writes SQL or knows a browser.
"""
