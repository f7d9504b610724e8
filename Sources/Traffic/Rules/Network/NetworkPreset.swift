/// A slow network that has a name.
package struct NetworkPreset: Hashable, Sendable {
    package let name: String
    /// kbit/s to the client; `nil` for no limit.
    private let down: Int64?
    /// kbit/s to the upstream; `nil` for no limit.
    private let up: Int64?
    /// Microseconds.
    private let roundTrip: Int64
    /// Of each 16 KiB, so many of a million begin with a wait.
    private let stall: Int64
    /// Microseconds that a look-up takes longer.
    private let lookUp: Int64
    /// Whether nothing answers at all.
    package let isOffline: Bool

    private init(
        _ name: String,
        _ down: Int64?,
        _ up: Int64?,
        milliseconds: Double = 0,
        stall: Int64 = 0,
        lookUp: Int64 = 0,
        isOffline: Bool = false
    ) {
        (self.name, self.down, self.up, self.isOffline) = (name, down, up, isOffline)
        (self.stall, self.lookUp) = (stall, lookUp)
        roundTrip = Int64(milliseconds * 1_000)
    }

    /// The presets, by where their numbers are from.
    package static let all: [NetworkPreset] = [
        // What Chrome applies.
        NetworkPreset("3g", 400, 400, milliseconds: 2_000), NetworkPreset("slow-4g", 1_440, 675, milliseconds: 562.5),
        NetworkPreset("fast-4g", 8_100, 1_350, milliseconds: 165), NetworkPreset("offline", nil, nil, isOffline: true),
        // Firefox.
        NetworkPreset("gprs", 50, 20, milliseconds: 500), NetworkPreset("2g", 250, 50, milliseconds: 300),
        NetworkPreset("good-2g", 450, 150, milliseconds: 150), NetworkPreset("regular-3g", 750, 250, milliseconds: 100),
        NetworkPreset("good-3g", 1_500, 750, milliseconds: 40), NetworkPreset("4g", 4_000, 3_000, milliseconds: 20),
        NetworkPreset("dsl", 2_000, 1_000, milliseconds: 5), NetworkPreset("wifi", 30_000, 15_000, milliseconds: 2),
        // Apple's Link Conditioner, second-hand.
        NetworkPreset("edge", 240, 200, milliseconds: 840), NetworkPreset("apple-3g", 780, 330, milliseconds: 200),
        NetworkPreset("lte", 50_000, 10_000, milliseconds: 115),
        NetworkPreset("very-bad", 1_000, 1_000, milliseconds: 1_000, stall: 100_000),
        NetworkPreset("dns", nil, nil, lookUp: 3_000_000),
    ]

    package static var names: [String] { all.map(\.name) }

    /// The preset of a name; `nil` where there is none.
    package static func named(_ name: String) -> NetworkPreset? { all.first { $0.name == name } }

    /// The network as a throttle.
    var throttle: RuleThrottle {
        var throttle = RuleThrottle()
        throttle.preset = name
        throttle.down = down.map(ByteRate.init(kilobits:))
        throttle.up = up.map(ByteRate.init(kilobits:))
        (throttle.roundTrip, throttle.stall, throttle.lookUp) = (roundTrip, stall, lookUp)
        return throttle
    }

    /// What a rule does that puts everything into the network.
    package var action: RuleAction { isOffline ? .block(.hang) : .throttle(throttle) }

    /// The rule `throttle`, which puts every exchange into the network; the path says where it was asked for, and stands for its file.
    package func rule(path: String) -> Rule {
        Rule(name: "throttle", place: Rule.Place(path: path, line: 1, column: 1), actions: [action])
    }
}
