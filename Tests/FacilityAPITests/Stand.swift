import FacilityAPI
import Foundation
import Hummingbird
import HummingbirdTesting
import Traffic

/// A stand-in under test, asked without a socket, at a fixed time: Tuesday 2026-09-15, 12:00 in New York unless told otherwise.
struct Stand {
    static let noon = date("2026-09-15T16:00:00Z")

    let configuration: FacilityAPIConfiguration

    init(
        faults: FaultPlan = FaultPlan(),
        at now: Date = Stand.noon,
        throttleLimit: Int? = nil,
        apiVersion: FacilityAPIConfiguration.APIVersion = .v2_2,
        seed: UInt64 = 1,
        changes: [FacilityChange] = [],
        isCKANRecent: Bool = false,
        hoursZone: String = "America/New_York"
    ) {
        configuration = FacilityAPIConfiguration(
            faults: faults,
            clock: { now },
            throttleLimit: throttleLimit,
            apiVersion: apiVersion,
            seed: seed,
            changes: changes,
            isCKANRecent: isCKANRecent,
            hoursZone: hoursZone
        )
    }

    /// What one request got.
    struct Reply {
        let status: Int
        let headers: HTTPFields
        let body: String

        var json: JSON { get throws { try JSON(reading: body) } }

        func header(_ name: String) -> String? {
            HTTPFields.Element.Name(name).flatMap { headers[$0] }
        }

        /// The values of a member in an array of objects, texts and whole numbers as texts.
        func column(_ name: String) throws -> [String] {
            try (json.elements ?? []).map { $0[name]?.text ?? $0[name]?.integer.map(String.init) ?? "" }
        }
    }

    /// Asks through the test client; several requests share one server when given a session.
    func ask(
        _ target: String,
        _ method: String = "GET",
        headers: [String: String] = [:],
        body: String? = nil
    ) async throws -> Reply {
        try await session { ask in try await ask(target, method, headers, body) }
    }

    typealias Ask = @Sendable (String, String, [String: String], String?) async throws -> Reply

    /// Runs several requests against one server.
    func session<Value: Sendable>(_ work: @Sendable (Ask) async throws -> Value) async throws -> Value {
        let responder = try FacilityResponder(configuration: configuration)
        try await responder.prepare()
        let application = Application(responder: responder)
        return try await application.test(.router) { client in
            try await work { target, method, headers, body in
                var fields = HTTPFields()
                for (name, value) in headers {
                    if let name = HTTPFields.Element.Name(name) { fields[name] = value }
                }
                let response = try await client.execute(
                    uri: target,
                    method: HTTPRequest.Method(method) ?? .get,
                    headers: fields,
                    body: body.map { ByteBuffer(string: $0) }
                )
                return Reply(
                    status: response.status.code,
                    headers: response.headers,
                    body: String(buffer: response.body)
                )
            }
        }
    }

    /// An instant written as RFC 3339; the distant past when it is not.
    static func date(_ text: String) -> Date {
        Moment.parse(text, now: 0, zone: .gmt).map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
            ?? .distantPast
    }
}
