"""Ways out to the world: each channel carries an order out and reports facts.

`channel` says what a channel is; `x_web` is the only module of the agent that imports `browser`.

"""
