"""The steps, each named after its number.

Alembic loads them by their place; nothing imports them.
"""
