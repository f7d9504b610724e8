/// The error of a TLS handshake that did not end in time.
struct HandshakeTimeout: Error {}
