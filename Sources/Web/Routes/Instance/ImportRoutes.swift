import Archive
import Hummingbird
import Store
import Traffic

/// Takes an archive into the store while it is uploaded: HAR, or what `inspect` exported.
struct ImportRoutes {
    /// Bytes that are handed to the reader at a time.
    private static let pieceBytes = 256 << 10
    /// Characters of a file's name that are kept.
    private static let nameLimit = 200

    let store: StoreDoor
    let limitBytes: Int

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.post("/api/v1/import") { request, _ in try await take(request) }
    }

    private func take(_ request: Request) async throws -> Response {
        let items = QueryItems(request.uri.query ?? "")
        let name = items.first("name") ?? "an upload"
        let session = items.first("session")
        if let problem = session.flatMap(SessionName.problem) { throw WebFailure(.badRequest, "session= \(problem).") }
        let archive = try await store.read {
            try ArchiveImport(into: $0, name: String(name.prefix(Self.nameLimit)), session: session)
        }
        do {
            var held: [UInt8] = []
            var total = 0
            for try await buffer in request.body {
                held += buffer.readableBytesView
                total += buffer.readableBytes
                guard total <= limitBytes else {
                    throw WebFailure(.contentTooLarge, "The archive is longer than \(limitBytes) bytes.")
                }
                guard held.count >= Self.pieceBytes else { continue }
                let piece = held
                held = []
                try await store.read { _ in try archive.write(piece) }
            }
            let last = held
            let (report, row) = try await store.read { _ in
                try archive.write(last)
                return try archive.finish()
            }
            return WebAnswer.json { ImportRoutes.write(report, row, &$0) }
        } catch {
            // The exchanges that came are kept, and the store says that they are not all.
            _ = try? await store.readAtOnce { _ in try archive.breakOff() }
            throw WebFailure.ofBody(error)
        }
    }

    private static func write(_ report: ImportReport, _ row: ArchiveImportRow?, _ json: inout JSONWriter) {
        json.string("kind", report.kind?.rawValue)
        json.integer("imported", row?.count ?? 0)
        json.integer("first", row?.first)
        json.integer("last", row?.last)
        json.integer("leftOut", report.leftOutCount)
        json.integer("mended", report.mendCount)
        json.array("notes") { json in for line in report.lines { json.string(nil, line) } }
        json.string("broken", report.broken)
    }
}
