import Foundation

/// The memory of a process as the kernel counts it.
package enum ResidentMemory {
    /// Bytes of a process that are in memory now; of this one where no number is given.
    ///
    /// - Throws: `Unknown` where neither Linux's /proc nor `ps` says.
    package static func bytes(of process: Int32? = nil) async throws -> Int {
        let id = process ?? ProcessInfo.processInfo.processIdentifier
        if let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8) {
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
            else { throw Unknown(process: id) }
            return kilobytes << 10
        }
        let said = try await CommandLineTool.run("ps", ["-o", "rss=", "-p", String(id)]).output
        guard let kilobytes = Int(said.filter(\.isNumber)) else { throw Unknown(process: id) }
        return kilobytes << 10
    }

    /// The memory of a process could not be found out.
    struct Unknown: Error {
        let process: Int32
    }
}
