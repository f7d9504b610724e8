/// A program that says whether a facility is open.
package enum HoursClient: String, Sendable, CaseIterable {
    case ios, android, web, server

    /// The name that people see.
    package var title: String {
        switch self {
        case .ios: "iPhone app"
        case .android: "Android app"
        case .web: "web page"
        case .server: "server"
        }
    }

    var reading: any HoursReading {
        switch self {
        case .ios: IPhoneHours()
        case .android: AndroidHours()
        case .web: WebHours()
        case .server: ServerHours()
        }
    }

    /// The client's verdict on a facility at a moment.
    package func verdict(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> HoursVerdict {
        reading.verdict(of: facility, at: now, clock: clock)
    }
}
