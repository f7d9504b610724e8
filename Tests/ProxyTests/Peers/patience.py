"""How much longer than on a quiet machine the peers wait for what has to come; the tests say it in the environment."""
import os


def seconds(count):
    """A limit as long as this machine may need."""
    return count * int(os.environ["PATIENCE"])
