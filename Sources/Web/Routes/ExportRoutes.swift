import Hummingbird
import Store
import Traffic

/// The selected exchanges as a file for other tools: what `inspect export` writes, without secrets unless the address asks for them.
struct ExportRoutes {
    let store: StoreDoor
    let creatorVersion: String

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/export") { request, _ in try await export(request) }
    }

    private func export(_ request: Request) async throws -> Response {
        let items = try await store.items(of: request)
        let own: Set = ["format", "redact", "all"]
        let filter = try Filter(items.filter { !own.contains($0.name) })
        let name = items.first("format") ?? "har"
        guard let format = ExportFormat(rawValue: name) else {
            let known = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw FilterError("format=\(name): expected one of \(known)")
        }
        let isRedacted = try items.boolean("redact", unless: true)
        let isAll = try items.boolean("all", unless: false)
        let ids = try await store.read { try $0.ids(filter) }
        let version = creatorVersion
        let stream = StoreStream(store) { store, write in
            let exporter = Exporter(
                store: store,
                scope: isAll ? .all : .ended,
                creatorVersion: version,
                redactor: isRedacted ? Redactor.fresh() : nil
            )
            _ = try exporter.write(ids, as: format, to: write)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: format.mediaType,
                .contentDisposition: "attachment; filename=\"captures.\(format.fileExtension)\"",
                .contentSecurityPolicy: "default-src 'none'; sandbox",
            ],
            body: stream.body
        )
    }
}
