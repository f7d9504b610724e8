package import Foundation

/// The configuration of a stand-in server: how it listens, its clock, and how it misbehaves.
package struct FacilityAPIConfiguration: Sendable {
    /// A version of the What's Open API.
    package enum APIVersion: String, Sendable, CaseIterable {
        /// 2.1: labels, the classifier as single characters, alerts with one message.
        case v2_1 = "2.1"
        /// 2.2, which production speaks.
        case v2_2 = "2.2"
    }

    /// The name or address to listen on.
    package var host: String
    /// The port to listen on; 0 lets the system pick one.
    package var port: Int
    /// Whether the port speaks HTTPS, with a certificate minted at start, instead of HTTP.
    package var tls: Bool
    /// The faults of answers, and how often they come.
    package var faults: FaultPlan
    /// The clock that opening hours, active alerts and `Date` follow.
    package var clock: @Sendable () -> Date
    /// Requests an anonymous client may make to What's Open in a day (production: 1000); nil for no limit.
    package var throttleLimit: Int?
    /// The version of What's Open that is spoken.
    package var apiVersion: APIVersion
    /// The seed of the random numbers behind fault probabilities: the same seed makes the same faults in the same order.
    package var seed: UInt64
    /// The changes to the seed data; a change that waits holds after its count of requests.
    package var changes: [FacilityChange]
    /// Whether the open-data portal is a CKAN of 2.10 or later, without the activity actions in its core.
    package var isCKANRecent: Bool
    /// The zone of the server's own clock, by which `open_now` and `closed_now` compare hours; the dates of specials stay in the campus's.
    package var hoursZone: String

    /// A configuration; left alone, it is plain HTTP on a free loopback port, without faults.
    package init(
        host: String = "127.0.0.1",
        port: Int = 0,
        tls: Bool = false,
        faults: FaultPlan = FaultPlan(),
        clock: @escaping @Sendable () -> Date = { Date() },
        throttleLimit: Int? = nil,
        apiVersion: APIVersion = .v2_2,
        seed: UInt64 = 1,
        changes: [FacilityChange] = [],
        isCKANRecent: Bool = false,
        hoursZone: String = "America/New_York"
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.faults = faults
        self.clock = clock
        self.throttleLimit = throttleLimit
        self.apiVersion = apiVersion
        self.seed = seed
        self.changes = changes
        self.isCKANRecent = isCKANRecent
        self.hoursZone = hoursZone
    }
}
