"""Postproof: the ledger of intents, the work, the channels and the faces."""
