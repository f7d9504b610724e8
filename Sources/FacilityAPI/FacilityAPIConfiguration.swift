import Foundation

/// How a stand-in server listens, what time it believes in, and how it misbehaves.
package struct FacilityAPIConfiguration: Sendable {
    /// Which version of the What's Open API is spoken.
    package enum APIVersion: String, Sendable, CaseIterable {
        /// Labels, the classifier as single characters, alerts with one message.
        case v2_1 = "2.1"
        /// What production speaks.
        case v2_2 = "2.2"
    }

    /// The name or address to listen on.
    package var host: String
    /// The port to listen on; 0 lets the system pick one.
    package var port: Int
    /// Whether the port speaks HTTPS, with a certificate minted at start, instead of HTTP.
    package var tls: Bool
    /// How often, and how, answers go wrong by themselves.
    package var faults: FaultPlan
    /// The time it is: opening hours, active alerts and `Date` follow it.
    package var clock: @Sendable () -> Date
    /// Requests an anonymous client may make to What's Open in a day (production: 1000); nil for no limit.
    package var throttleLimit: Int?
    /// Which What's Open is spoken.
    package var apiVersion: APIVersion
    /// Where the random numbers behind fault probabilities start: the same seed makes the same faults in the same order.
    package var seed: UInt64
    /// What is different from the seed data; those that wait hold after so many requests.
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
