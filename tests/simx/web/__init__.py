"""Tests of the simulated X's front-end, in a real browser and a pytest process of their own."""
