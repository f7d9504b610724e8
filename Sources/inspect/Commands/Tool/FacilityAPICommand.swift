import ArgumentParser
import FacilityAPI
import Proxy
import ServiceLifecycle
import UnixSignals

/// `inspect facility-api`: a local stand-in for the four clients' servers.
struct FacilityAPICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facility-api",
        abstract: "Serve a local stand-in for the four clients' servers.",
        discussion: """
            It serves What's Open under /whatsopen/v2/ and /api/, the meeting server at /entrypoint.php, CKAN under \
            /api/3/action/, notices under /nm/ and CloudKit under /database/1/. --fault has answers go wrong; \
            a request can ask for faults of its own with an X-Fault field. The data changes by the APIs' own writes (What's Open: user editor, password patriot) and by POST /facility-api/change with the JSON that \
            --change takes.

            Examples:
              inspect facility-api --port 8081
              inspect facility-api --port 8443 --tls --fault 500:0.05,429:0.1,slow:2s
              curl http://localhost:8081/facility-api/change -H 'Content-Type: application/json' \
            -d '{"facility":"late-slice","day":"friday","end":"20:00"}'
            """,
        shouldDisplay: false
    )

    @OptionGroup var options: FacilityAPIOptions

    func run() async throws {
        let server = try FacilityAPIServer(configuration: try options.settings(), logger: .silent)
        let service = FacilityAPIService(
            server: server,
            isSecure: options.tls,
            certificatePath: options.certificate
        )
        try await ServiceGroup(services: [service], gracefulShutdownSignals: [.sigint, .sigterm], logger: .silent).run()
    }
}
