import Foundation
import NIOCore
import Store
import Traffic

/// Lets a person edit a recorded request as text, in the editor of their choice.
struct RequestEditor {
    private let store: TrafficStore
    private let environment: [String: String]

    /// - Parameters:
    ///   - store: holds the exchange.
    ///   - environment: the variables that name the editor; the editor is given them too.
    init(_ store: TrafficStore, environment: [String: String] = ProcessInfo.processInfo.environment) {
        (self.store, self.environment) = (store, environment)
    }

    /// The edits that a person made, on top of others.
    ///
    /// - Throws: `InputError` without an editor, or when it failed; `ReplayError` for edits that cannot be made.
    func edited(_ id: ExchangeID, _ edits: ReplayEdits) async throws -> ReplayEdits {
        let exchange = try ExchangeReader(store).record(id).exchange
        var body: [UInt8] = []
        while case let piece = try store.body(id, .request, offset: Int64(body.count), limitBytes: 256 << 10),
            !piece.isEmpty
        {
            body += piece
        }
        var original = exchange
        original.request = exchange.request.describingKept
        let request: ReplayRequest
        do {
            request = try ReplayRequest(original: original, body: body, edits: edits)
        } catch {
            throw InputError(error.words)
        }
        let message = request.original.request
        let head = Array((message.sentHead ?? message.head).readableBytesView)
        let isText = String(validating: request.body, as: UTF8.self) != nil
        let lines = head.filter { $0 != UInt8(ascii: "\r") }
        let text = try await edited(lines + (isText ? request.body : []))
        let end = text.firstRange(of: Array("\n\n".utf8)) ?? text.firstRange(of: Array("\n\r\n".utf8))
        var result = ReplayEdits()
        result.to = edits.to == nil ? nil : RequestEditor.origin(request.original)
        result.sendCredentials = edits.sendCredentials
        result.head = Array(text[..<(end?.lowerBound ?? text.endIndex)]) + Array("\n\n".utf8)
        guard isText else {
            result.body = edits.body
            return result
        }
        var after = end.map { Array(text[$0.upperBound...]) } ?? []
        // Editors end a file with a line end that the body did not have.
        if after.last == UInt8(ascii: "\n"), request.body.last != UInt8(ascii: "\n") { after.removeLast() }
        if after != body { result.body = after }
        return result
    }

    private static func origin(_ exchange: Exchange) -> String {
        "\(exchange.scheme?.rawValue ?? "http")://\(Endpoint(host: exchange.host, port: exchange.port))"
    }

    /// What the editor leaves of some bytes.
    private func edited(_ bytes: [UInt8]) async throws -> [UInt8] {
        guard let editor = environment["VISUAL"] ?? environment["EDITOR"], !editor.isEmpty else {
            throw InputError("no editor is named; set EDITOR, for example EDITOR=vi")
        }
        let directory = FileManager.default.temporaryDirectory.appending(path: "inspect-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/request.http"
        let file = try OutputFile(path)
        try file.write(bytes)
        try file.finish()
        let words = ["/bin/sh", "-c", editor + " \"$1\"", "sh", path]
        let status =
            try await SpawnedCommand(arguments: words, environment: environment).run() ?? SpawnedCommand.notFound
        guard status == 0, let text = FileManager.default.contents(atPath: path) else {
            throw InputError("the editor ended with status \(status), so nothing was sent")
        }
        return Array(text)
    }
}
