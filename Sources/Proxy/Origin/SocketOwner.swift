import Traffic

/// Who holds a client's socket.
struct SocketOwner: Equatable, Sendable {
    var process: LocalProcess
    /// Its number among the program's descriptors.
    var number: Int32
}
