import Archive
import Hummingbird
import Store
import Traffic

/// The selected exchanges as a file for other tools, as `inspect export` writes it; secrets are masked unless the address asks for them.
struct ExportRoutes {
    let store: StoreDoor
    let creatorVersion: String
    let remedyWords: TLSRemedy.Words?
    let refusalWords: ExchangeJSON.RefusalWords?

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/export") { request, context in try await export(request, context) }
        router.get("/api/v1/export/report") { request, context in try await report(request, context) }
    }

    /// The report on what a file of the selected exchanges would have masked, for the person who hands the file on: lines of JSON, `{"percent": 40}`
    /// now and then, at last the report.
    private func report(_ request: Request, _ context: WebContext) async throws -> Response {
        let filter = try Filter(await store.items(of: request), now: store.now)
        let version = creatorVersion
        let stream = StoreStream(store) { store, write in
            let redactor = Redactor.fresh()
            var (done, whole, told): (Int64, Int64, Int64) = (0, 1, 0)
            let exporter = Exporter(
                store: store,
                scope: .ended,
                creatorVersion: version,
                redactor: redactor,
                remedyWords: nil,
                progress: { (done, whole) = ($0, max(1, $1)) }
            )
            _ = try exporter.write(store.ids(filter), as: .har) { _ in
                let percent = done * 100 / whole
                guard percent > told else { return try write([]) }
                told = percent
                try write(CountingAnswer.line { $0.integer("percent", percent) })
            }
            try write(CountingAnswer.line { redactor.report.write(to: &$0) })
        }
        let asker = try await Asker(request, context)
        return Response(
            status: .ok,
            headers: [.contentType: "application/x-ndjson", .connection: "close"],
            body: stream.body(for: asker)
        )
    }

    private func export(_ request: Request, _ context: WebContext) async throws -> Response {
        let items = try await store.items(of: request)
        let own: Set = ["format", "redact", "all"]
        let filter = try Filter(items.filter { !own.contains($0.name) }, now: store.now)
        let name = items.first("format") ?? "har"
        guard let format = ExportFormat(rawValue: name) else {
            let known = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw FilterError("format=\(name): expected one of \(known)")
        }
        let isRedacted = try items.boolean("redact", unless: true)
        let isAll = try items.boolean("all", unless: false)
        let (version, remedyWords, refusalWords) = (creatorVersion, remedyWords, refusalWords)
        let stream = StoreStream(store) { store, write in
            let exporter = Exporter(
                store: store,
                scope: isAll ? .all : .ended,
                creatorVersion: version,
                redactor: isRedacted ? Redactor.fresh() : nil,
                remedyWords: remedyWords,
                refusalWords: refusalWords
            )
            _ = try exporter.write(store.ids(filter), as: format, to: write)
        }
        let asker = try await Asker(request, context)
        return Response(
            status: .ok,
            headers: [
                .contentType: format.mediaType,
                .contentDisposition: "attachment; filename=\"captures.\(format.fileExtension)\"",
                .contentSecurityPolicy: "default-src 'none'; sandbox",
                .connection: "close",
            ],
            body: stream.body(for: asker)
        )
    }
}
