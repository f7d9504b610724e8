import FacilityAPI
import ServiceLifecycle

/// Serves the facility API until the service group shuts down, and prints its address.
struct FacilityAPIService: Service {
    let server: FacilityAPIServer
    let isSecure: Bool
    /// The file for the certificate; `nil` where it is written nowhere.
    let certificatePath: String?

    func run() async throws {
        if let certificatePath, let pem = server.certificatePEM {
            let file = try OutputFile(named: certificatePath, mode: 0o644)
            try file.write(Array(pem.utf8))
            try file.finish()
        }
        try await cancelWhenGracefulShutdown {
            try await server.run { port in
                let base = "\(isSecure ? "https" : "http")://localhost:\(port)"
                try? Console.write(
                    Array("The facility API listens at \(base), for example \(base)/whatsopen/v2/facilities/\n".utf8),
                    to: 1
                )
            }
        }
    }
}
