# Reads the bytes of protocol buffers, for tests that decode a file by themselves.


def varint(data, at):
    """The number that begins at @at, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
