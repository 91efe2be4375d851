"""Alembic's environment: the steps from one schema to the next.

A step is frozen: it never reads the tables of today. The last one leads to the schema that
`schema.create` makes at once; a test compares the two.
"""
