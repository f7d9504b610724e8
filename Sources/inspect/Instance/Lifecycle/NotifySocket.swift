import Foundation

/// The way to a service manager that waits to be told, by systemd's protocol: datagrams of `NAME=VALUE` lines to the socket that `NOTIFY_SOCKET` names
/// (sd_notify(3)).
struct NotifySocket: Sendable {
    /// The news for the manager.
    enum State: Sendable {
        /// Clients are answered.
        case ready(String)
        /// The configuration is being read anew; `ready` follows.
        case reloading
        case stopping
        /// The process still works.
        case alive

        fileprivate var text: String {
            switch self {
            case .ready(let status): "READY=1\nSTATUS=\(status.replacing("\n", with: " "))\n"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(NotifySocket.monotonicMicroseconds)\n"
            case .stopping: "STOPPING=1\nSTATUS=Waiting for open exchanges to end\n"
            case .alive: "WATCHDOG=1\n"
            }
        }
    }

    private let path: String
    /// How often the manager wants to hear that it still works, halved so that it does in time; `nil` where it does not ask.
    let aliveInterval: Duration?

    /// The manager's socket; `nil` where none waits.
    init?(environment: [String: String], pid: Int32 = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        self.path = path
        let isForUs = environment["WATCHDOG_PID"].map { $0 == String(pid) } ?? true
        let interval = environment["WATCHDOG_USEC"].flatMap(Int64.init)
        aliveInterval = interval.flatMap { isForUs && $0 > 1 ? .microseconds($0 / 2) : nil }
    }

    /// Sends the news; a manager that is gone is no error.
    func tell(_ state: State) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        let limit = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < limit else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: name)
            // A name that is no file begins with a zero (unix(7)).
            if name.first == UInt8(ascii: "@") { place[0] = 0 }
        }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size - limit + name.count)
        #if canImport(Darwin)
        let kind = SOCK_DGRAM
        #else
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let text = Array(state.text.utf8)
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, text, text.count, Int32(MSG_DONTWAIT), $0, length)
            }
        }
    }

    /// The clock that the manager orders reloads by.
    private static var monotonicMicroseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}
