import Foundation
import Traffic

/// The status that a gRPC call ended with.
struct GRPCStatus {
    /// The number as it was sent.
    private let text: String
    /// The number; `nil` where the text that was sent has anything but digits (gRPC over HTTP/2, "Status").
    private let code: Int?
    /// The server's message; empty where there is none.
    private let message: String

    /// Finds the status of a call: in the trailers, in the head of an answer that has nothing else, or in the last frame of gRPC-Web.
    ///
    /// `nil` where none of them has a status.
    ///
    /// - Parameters:
    ///   - capture: the call.
    ///   - web: the messages of its response.
    init?(_ capture: Capture, web: GRPCFrames) {
        guard let response = capture.exchange.response else { return nil }
        var lists = [response.fields]
        if let trailers = response.trailers { lists.insert(HeaderList(trailers: trailers), at: 0) }
        var found: (code: String, message: String?)?
        for list in lists where found == nil {
            if let code = list.first("grpc-status") { found = (code, list.first("grpc-message")) }
        }
        if found == nil, let frame = web.trailers {
            let lines = ByteText.repaired(frame.bytes).split(whereSeparator: \.isNewline)
            func value(_ name: String) -> String? {
                lines.first { $0.lowercased().hasPrefix(name + ":") }.map {
                    String($0.dropFirst(name.count + 1)).trimmed
                }
            }
            if let code = value("grpc-status") { found = (code, value("grpc-message")) }
        }
        guard let found else { return nil }
        text = found.code
        code = text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        message = found.message.map { PercentCoding.wholeText($0) ?? $0 } ?? ""
    }

    /// Whether the call succeeded.
    var isOK: Bool { code == 0 }

    /// `NOT_FOUND (5): no such facility`.
    var words: String {
        let rest = message.isEmpty ? "" : ": \(message)"
        guard let code else { return "a status that is no number (“\(text)”)\(rest)" }
        let name = GRPCStatus.names.indices.contains(code) ? GRPCStatus.names[code] : "unknown status"
        return "\(name) (\(code))\(rest)"
    }

    /// The names of the codes from 0 (gRPC core, "Status codes").
    private static let names = [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
        "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ]
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespaces) }
}
