import Traffic

/// An upstream of the filled store and the kind of requests that go there.
struct SyntheticHost {
    /// What is asked of it.
    enum Kind {
        case facilities, meetings, datasets, menus, images, assets, events, socket, tunnel
    }

    var name: String
    var kind: Kind
    var scheme: Scheme?
    var version: HTTPVersion
    var agent: String
    /// How many of a thousand exchanges go there.
    var share: Int

    private static let phone = "WhatsOpen/2.4.1 (iPhone; iOS 18.1; Scale/3.00)"
    private static let finder = "VirtualMeetingFinder/1.9 CFNetwork/1568.200.51 Darwin/24.1.0"
    private static let browser =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
    private static let bruin = "BruinLife/3.2 CloudKit/2110 (23B85)"

    /// The ones with a name of their own; what is left of a thousand goes to the map's many.
    static let named = [
        SyntheticHost(
            name: "api.srct.gmu.edu",
            kind: .facilities,
            scheme: .https,
            version: .http2,
            agent: phone,
            share: 270
        ),
        SyntheticHost(
            name: "meetings.recovrr.org",
            kind: .meetings,
            scheme: .https,
            version: .http11,
            agent: finder,
            share: 180
        ),
        SyntheticHost(
            name: "ckan0.cf.opendata.inter.prod-toronto.ca",
            kind: .datasets,
            scheme: .https,
            version: .http2,
            agent: browser,
            share: 140
        ),
        SyntheticHost(
            name: "api.apple-cloudkit.com",
            kind: .menus,
            scheme: .https,
            version: .http2,
            agent: bruin,
            share: 120
        ),
        SyntheticHost(
            name: "images.cdn.example",
            kind: .images,
            scheme: .https,
            version: .http2,
            agent: browser,
            share: 90
        ),
        SyntheticHost(
            name: "static.cdn.example",
            kind: .assets,
            scheme: .https,
            version: .http2,
            agent: browser,
            share: 60
        ),
        SyntheticHost(
            name: "metrics.example",
            kind: .events,
            scheme: .https,
            version: .http11,
            agent: phone,
            share: 50
        ),
        SyntheticHost(
            name: "localhost",
            kind: .facilities,
            scheme: .http,
            version: .http11,
            agent: "curl/8.5.0",
            share: 20
        ),
        SyntheticHost(name: "live.example", kind: .socket, scheme: .wss, version: .webSocket, agent: browser, share: 3),
        SyntheticHost(name: "push.apple.example", kind: .tunnel, scheme: nil, version: .http11, agent: phone, share: 7),
    ]

    /// One of the sixty servers of a map.
    static func map(_ number: Int) -> SyntheticHost {
        SyntheticHost(
            name: "tile-\(number % 60).maps.example",
            kind: .images,
            scheme: .https,
            version: .http2,
            agent: browser,
            share: 0
        )
    }

    /// The one that a number below a thousand falls on.
    static func of(_ roll: Int, _ number: Int) -> SyntheticHost {
        var left = roll
        for host in named {
            if left < host.share { return host }
            left -= host.share
        }
        return map(number)
    }

    /// The first of a kind.
    static func of(_ kind: Kind) -> SyntheticHost { named.first { $0.kind == kind } ?? map(0) }
}
