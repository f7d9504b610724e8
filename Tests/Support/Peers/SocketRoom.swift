package import NIOCore

/// The room in the socket of a peer that is to hold little: of one size, whatever the kernel would let it become.
package enum SocketRoom {
    /// Less than any kernel refuses to give; Linux takes twice as much for what it keeps beside the bytes.
    package static let littleBytes: SocketOptionValue = 128 << 10
}
