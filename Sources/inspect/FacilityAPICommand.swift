import ArgumentParser
import FacilityAPI
import Foundation
import Logging
import ServiceLifecycle
import Traffic

/// `inspect facility-api`: a local stand-in for the four clients' servers.
struct FacilityAPICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facility-api",
        abstract: "Serve a local stand-in for the four clients' servers, with faults on demand.",
        discussion: """
            Served are What's Open under /whatsopen/v2/ and /api/, the meeting server at /entrypoint.php, CKAN under /api/3/action/, notices \
            under /nm/ and CloudKit under /database/1/. A request can ask for faults of its own with an X-Fault field.

            Examples:
              inspect facility-api --port 8081
              inspect facility-api --port 8443 --tls --fault 500:0.05,429:0.1,slow:2s
            """
    )

    @Option(help: ArgumentHelp("The port on 127.0.0.1; 0 picks one and prints it.", valueName: "n"))
    var port: Int = 0

    @Flag(help: "Speak HTTPS, with a certificate minted at start.")
    var tls = false

    @Option(
        help: ArgumentHelp("With --tls: write that certificate, PEM, to this file.", valueName: "file"),
        completion: .file()
    )
    var certificate: String?

    @Option(
        help: ArgumentHelp(
            "What goes wrong: 500:0.05,429:0.1,503:0.01,slow:2s,html404,truncate,nullspecial.",
            valueName: "faults"
        )
    )
    var fault: String?

    @Option(
        help: ArgumentHelp(
            "The time the servers believe in at start, 2026-09-18T12:00; it goes on from there.",
            valueName: "time"
        )
    )
    var now: String?

    @Option(help: ArgumentHelp("The What's Open API that is spoken: 2.1 or 2.2.", valueName: "version"))
    var apiVersion: String = FacilityAPIConfiguration.APIVersion.v2_2.rawValue

    @Option(help: ArgumentHelp("Where the random numbers of the faults start.", valueName: "n"))
    var seed: UInt64 = 1

    mutating func validate() throws {
        if !(0...65535).contains(port) { throw ValidationError("--port \(port): expected 0 to 65535") }
        if certificate != nil, !tls { throw ValidationError("--certificate goes with --tls") }
        do {
            _ = try settings()
        } catch {
            throw ValidationError(String(describing: error))
        }
    }

    func run() async throws {
        let logger = Logger(label: "inspect") { _ in SwiftLogNoOpLogHandler() }
        let server = try FacilityAPIServer(configuration: try settings(), logger: logger)
        let service = FacilityAPIService(server: server, isSecure: tls, certificatePath: certificate)
        try await ServiceGroup(services: [service], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger).run()
    }

    private func settings() throws -> FacilityAPIConfiguration {
        guard let version = FacilityAPIConfiguration.APIVersion(rawValue: apiVersion) else {
            throw InputError("--api-version \(apiVersion): expected 2.1 or 2.2")
        }
        let shift = try now.map { text in
            let start = Date()
            guard let wanted = Moment.parse(text, now: Moment.microseconds(start)) else {
                throw InputError("--now \(text): \(Moment.expectation)")
            }
            return Double(wanted) / 1_000_000 - start.timeIntervalSince1970
        }
        return FacilityAPIConfiguration(
            port: port,
            tls: tls,
            faults: try fault.map { try FaultPlan(parsing: $0) } ?? FaultPlan(),
            clock: { Date(timeIntervalSinceNow: shift ?? 0) },
            apiVersion: version,
            seed: seed
        )
    }
}
