import ArgumentParser
import Foundation
import Proxy
import ServiceLifecycle
import Traffic
import Trust
import UnixSignals

/// `inspect mock`: what was recorded, served again, without any server.
struct MockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock",
        abstract: "Answer requests from recordings, offline.",
        discussion: """
            The port is an origin server, in HTTP and HTTPS, and an HTTP proxy; point a client at it as either. The mock never connects to anything. \
            A request gets the recording of the same method, host, path, query (in any order) and body; a Host that is an address, localhost or a \
            name given by --allow-host stands for every host. Equal requests get their recordings in turn, then the last again. A miss is a 501 with \
            the nearest recording and the parts that differ (X-Inspect-Miss), in text or, for Accept: application/json, JSON. The terminal shows the \
            same; a client of another machine is not told.

            Examples:
              inspect mock --port 8081
              inspect mock 'lens:whatsopen since:1h' --order last --latency as-recorded
              inspect mock --from capture.har --port 8081
            """
    )

    @OptionGroup var options: MockOptions
    @OptionGroup var authority: CAOptions
    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        var filter = filter
        let former = try source.archive == nil ? formerArchive() : nil
        if former != nil { filter.terms = [] }
        let archive = try (source.archive ?? former).map {
            try TemporaryArchiveStore($0, savedIn: source.store.path)
        }
        let reading = try archive?.store ?? source.store.openForReading()
        let recordings = try Recordings(
            reading,
            filter: try filter.filter(now: Date(), in: reading),
            ignoresBody: options.ignoreBody
        )
        let service = MockService(
            options: options,
            store: reading,
            recordings: recordings,
            root: try authority.openRoot(),
            rootFile: authority.files.certificatePath
        )
        defer { withExtendedLifetime(archive) {} }
        try await group(service, ofArchive: archive != nil).run()
    }

    /// A group that ends with the signals; those of a process with an archive go to the archive's folder too.
    private func group(_ service: MockService, ofArchive isArchive: Bool) -> ServiceGroup {
        guard isArchive else {
            return ServiceGroup(services: [service], gracefulShutdownSignals: [.sigint, .sigterm], logger: .silent)
        }
        let services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(service: service), .init(service: AskedEnd(), successTerminationBehavior: .gracefullyShutdownGroup),
        ]
        return ServiceGroup(configuration: ServiceGroupConfiguration(services: services, logger: .silent))
    }

    /// The one argument, where it is a file that is there and so no query: what `--from` was before.
    ///
    /// - Throws: `InputError` when it is named like an archive and is not there.
    private func formerArchive() throws -> String? {
        guard filter.terms.count == 1, let path = filter.terms.first else { return nil }
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue {
            Console.remark("inspect: \(FormerSpelling.remark("mock FILE", isNow: "mock --from FILE"))")
            return path
        }
        if [".har", ".har.gz"].contains(where: { path.lowercased().hasSuffix($0) }) {
            throw InputError("there is no file \(VisibleText.line(path)) to answer from")
        }
        return nil
    }
}
