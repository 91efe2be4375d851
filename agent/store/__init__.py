"""The ledger on disk.

`ledger.Store` is the one way in for everything that works; `glance` reads a list without it and
without SQLModel. Nothing is imported here, so that a glance stays quick.
"""
