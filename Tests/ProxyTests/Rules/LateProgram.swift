import Foundation
import Support
import Testing

#if os(Linux)
/// The program of a client, which the proxy finds when the test says so, in a directory like `/proc`; searches before that wait.
struct LateProgram {
    private static let inode = 42

    private let directory: TemporaryDirectory
    private var table: String { directory.file("net/tcp") }

    /// What takes the place of `/proc`.
    var root: String { directory.path }

    /// - Parameter name: its name.
    /// - Throws: when the directory cannot be made.
    init(_ name: String) throws {
        directory = try TemporaryDirectory()
        for folder in ["net", "7/fd"] {
            try FileManager.default.createDirectory(
                atPath: directory.file(folder),
                withIntermediateDirectories: true
            )
        }
        try directory.write("\(name)\n", to: "7/comm")
        try FileManager.default.createSymbolicLink(
            atPath: directory.file("7/fd/3"),
            withDestinationPath: "socket:[\(Self.inode)]"
        )
        // A search takes for as long as nobody writes the table of sockets.
        try #require(mkfifo(table, 0o600) == 0)
    }

    /// Lets it be found as the one that has the connection from a port of a client's; later searches find nothing.
    func found(at port: Int, of proxy: RunningProxy) async throws {
        let end = ContinuousClock.now + Patience.stretched(.seconds(10))
        var writer: Int32 = -1
        while writer < 0 {
            try #require(ContinuousClock.now < end)
            await Task.yield()
            // It can be opened so once a search reads it.
            writer = open(table, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        }
        try finish(writer, "\(Self.port(port)) \(Self.port(proxy.port))")
    }

    /// Ends the search that is under way, if one is, without a result.
    func end() {
        let writer = open(table, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard writer >= 0 else { return }
        unlink(table)
        close(writer)
    }

    private func finish(_ writer: Int32, _ ends: String) throws {
        defer { close(writer) }
        let line = Array("  1: \(ends) 01 0:0 02:0 0 \(geteuid()) 0 \(Self.inode) 2 0\n".utf8)
        try #require(write(writer, line, line.count) == line.count)
        unlink(table)
    }

    /// An end of a connection on 127.0.0.1 as the table writes it.
    private static func port(_ number: Int) -> String { "0100007F:" + String(format: "%04X", number) }
}
#endif
