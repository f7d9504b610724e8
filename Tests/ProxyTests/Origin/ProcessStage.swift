import Foundation
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

#if os(Linux)
/// A directory like `/proc`, with one connection and the programs of a test.
struct ProcessStage {
    let directory: TemporaryDirectory
    let pair: SocketPair

    var root: String { directory.path }

    init(user: uid_t = geteuid()) throws {
        directory = try TemporaryDirectory()
        pair = try #require(
            SocketPair(
                client: SocketAddress(ipAddress: "127.0.0.1", port: 0xC350),
                listener: SocketAddress(ipAddress: "127.0.0.1", port: 9090)
            )
        )
        try FileManager.default.createDirectory(atPath: directory.file("net"), withIntermediateDirectories: true)
        try directory.write("  1: 0100007F:C350 0100007F:2382 01 0:0 02:0 0 \(user) 0 42 2 0\n", to: "net/tcp")
    }

    /// A program with some descriptors.
    func add(_ id: Int, _ comm: String?, exe: String? = nil, _ descriptors: [String]) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: directory.file("\(id)/fd"), withIntermediateDirectories: true)
        if let comm { try directory.write("\(comm)\n", to: "\(id)/comm") }
        if let exe {
            try files.createSymbolicLink(atPath: directory.file("\(id)/exe"), withDestinationPath: exe)
        }
        for (number, target) in descriptors.enumerated() { try open(target, as: number, of: id) }
    }

    /// Makes one of a program's descriptors lead elsewhere.
    func open(_ target: String, as number: Int, of id: Int) throws {
        let link = directory.file("\(id)/fd/\(number)")
        try? FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    }

    func owner(recent: [Int32] = []) -> LocalProcess? {
        ProcessTable(root: root).owners(of: [pair], recent: recent)[pair]?.process
    }
}
#endif
