"""Labelled cases for the matcher: a generator, a hard set by hand, and what they measure.

A label comes from how a case was made and never from what the matcher says; nothing here but
`measure` imports the matcher.
"""
