import Traffic

/// The program that holds a client's socket.
struct SocketOwner: Equatable, Sendable {
    var process: LocalProcess
    /// The socket's number among the program's descriptors.
    var number: Int32
}
