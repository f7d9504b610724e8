/// A handshake that did not end in time.
struct HandshakeTimeout: Error {}
