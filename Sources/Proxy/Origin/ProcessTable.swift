import CNIOLinux
import CoreFoundation
import NIOCore
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The programs of this machine, as `/proc` shows them; none on a system without it.
///
/// It reads files, so it is never used on an event loop.
struct ProcessTable: Sendable {
    /// The processor time of a search; what it has not found by then stays unknown.
    private static let timeLimit = TimeAmount.milliseconds(50)
    /// Bytes that are read of a table of sockets: some 25,000 sockets.
    private static let tableLimitBytes = 4 << 20

    /// The place of `/proc`; a test may have its own.
    private let root: String
    static let usualRoot = "/proc"

    #if os(Linux)
    /// The way to ask the kernel; `nil` where that takes no questions.
    private let inquiry: SocketInquiry?
    #endif

    init(root: String = ProcessTable.usualRoot) {
        self.root = root
        #if os(Linux)
        inquiry = root == ProcessTable.usualRoot ? SocketInquiry() : nil
        #endif
    }

    /// Whether the kernel is known to answer for one socket at once, so that an event loop may ask it.
    var isAnswered: Bool {
        #if os(Linux)
        inquiry?.isProven == true
        #else
        false
        #endif
    }

    /// The programs that hold the clients' ends of connections.
    ///
    /// - Parameters:
    ///   - pairs: the connections.
    ///   - recent: programs to look at first, the most likely one at the front.
    /// - Returns: the programs that were found, by connection.
    func owners(of pairs: [SocketPair], recent: [Int32]) -> [SocketPair: SocketOwner] {
        #if os(Linux)
        let began = ProcessTable.spent()
        let sockets = sockets(pairs)
        let user = geteuid()
        // Only the administrator may read the descriptors of other users' programs.
        var wanted = Set(sockets.values.filter { user == 0 || $0.user == user }.map(\.inode))
        var found: [UInt64: SocketOwner] = [:]
        func look(_ id: Int32) {
            let held = held(by: id, wanted)
            guard !held.isEmpty, let process = ProcessTable.process(id, root: root) else { return }
            for (inode, number) in held { found[inode] = SocketOwner(process: process, number: number) }
            wanted.subtract(held.keys)
        }
        for id in recent where !wanted.isEmpty { look(id) }
        if !wanted.isEmpty {
            // A program that was started for one request is among the latest.
            for id in newestFirst() where !recent.contains(id) {
                if wanted.isEmpty || ProcessTable.spent() - began > ProcessTable.timeLimit { break }
                look(id)
            }
        }
        return sockets.compactMapValues { found[$0.inode] }
        #else
        return [:]
        #endif
    }

    /// The user at the client's end of a connection; `nil` where that is unknown.
    func user(of pair: SocketPair) -> UInt32? {
        #if os(Linux)
        sockets([pair])[pair]?.user
        #else
        nil
        #endif
    }

    /// The processor time that this thread has had: by the clock, a search on a busy machine would seem long while it only waits for its turn.
    static func spent() -> TimeAmount {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    #if os(Linux)
    /// The clients' ends of connections: the kernel is asked for each, and its tables are read where it takes no questions.
    private func sockets(_ pairs: [SocketPair]) -> [SocketPair: SocketTable.Entry] {
        var sockets: [SocketPair: SocketTable.Entry] = [:]
        var others = pairs
        if let inquiry {
            others = pairs.filter { pair in
                let answer = inquiry.answer(pair)
                if case .held(let entry) = answer { sockets[pair] = entry }
                return answer == .unanswered
            }
        }
        for (name, isLong) in [("net/tcp", false), ("net/tcp6", true)] {
            let left = others.filter { sockets[$0] == nil }
            if left.isEmpty { break }
            let table = SocketTable(bytes: contents(name), isLong: isLong)
            sockets.merge(table.entries(left)) { first, _ in first }
        }
        return sockets
    }

    /// The wanted sockets among a program's descriptors, with their numbers.
    private func held(by id: Int32, _ wanted: Set<UInt64>) -> [UInt64: Int32] {
        guard let directory = opendir("\(root)/\(id)/fd") else { return [:] }
        defer { closedir(directory) }
        let descriptor = dirfd(directory)
        var held: [UInt64: Int32] = [:]
        while held.count < wanted.count, let entry = readdir(directory) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    guard let inode = ProcessFiles.socket(name, in: descriptor), wanted.contains(inode) else { return }
                    held[inode] = Int32(String(cString: name))
                }
            }
        }
        return held
    }

    /// The process numbers of all programs, the latest at the front; numbers start again past the greatest one.
    private func newestFirst() -> [Int32] {
        let ids = ids()
        let load = String(decoding: contents("loadavg"), as: UTF8.self)
        let last = load.split(whereSeparator: \.isWhitespace).last.flatMap { Int32($0) } ?? .max
        return ids.filter { $0 <= last }.sorted(by: >) + ids.filter { $0 > last }.sorted(by: >)
    }

    /// The process numbers of all programs.
    private func ids() -> [Int32] {
        guard let directory = opendir(root) else { return [] }
        defer { closedir(directory) }
        var ids: [Int32] = []
        while let entry = readdir(directory) {
            let id = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { Int32(String(cString: $0)) }
            }
            if let id { ids.append(id) }
        }
        return ids
    }

    /// The names of a program; `nil` once it has ended.
    ///
    /// - Parameters:
    ///   - id: its process number.
    ///   - root: the place of `/proc`.
    /// - Returns: its names.
    static func process(_ id: Int32, root: String) -> LocalProcess? {
        let comm = firstLine("\(root)/\(id)/comm")
        guard !comm.isEmpty else { return nil }
        let path = [UInt8](unsafeUninitializedCapacity: 4_096) { room, count in
            count = room.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { max(0, readlink("\(root)/\(id)/exe", $0, text.count)) } ?? 0
            }
        }
        var file = String(decoding: path, as: UTF8.self)
        // The kernel adds this to the name of a file that was replaced since.
        if file.hasSuffix(" (deleted)") { file.removeLast(" (deleted)".count) }
        let executable = file.split(separator: "/").last.map(String.init)
        return LocalProcess(id: id, name: ProcessTable.name(comm, executable), executable: executable)
    }

    /// The name to show: mostly the kernel's, which is cut off after 15 bytes, and which Node changes for its main thread.
    static func name(_ comm: String, _ executable: String?) -> String {
        guard let executable, !executable.isEmpty else { return comm }
        let isCut = comm.utf8.count >= 15 && executable.hasPrefix(comm)
        return isCut || comm == "MainThread" ? executable : comm
    }

    /// The first line of a small file, at most 64 bytes; empty where there is none.
    private static func firstLine(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 64) { room, count in
            count = max(0, read(descriptor, room.baseAddress, room.count))
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// A file of it, up to the limit; empty where there is none.
    private func contents(_ name: String) -> ArraySlice<UInt8> {
        let descriptor = open("\(root)/\(name)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 32 << 10)
        var length = 0
        while length < ProcessTable.tableLimitBytes {
            if length == bytes.count { bytes.append(contentsOf: [UInt8](repeating: 0, count: length)) }
            let count = bytes.withUnsafeMutableBytes { raw in
                raw.baseAddress.map { read(descriptor, $0 + length, raw.count - length) } ?? 0
            }
            guard count > 0 else { break }
            length += count
        }
        return bytes[..<length]
    }
    #endif
}
