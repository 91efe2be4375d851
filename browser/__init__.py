"""Drives a real browser on x.com and reports facts; judges nothing and never imports `agent`."""
