/// How one client reads opening hours: a small model of its published source, mistakes included.
protocol HoursReading: Sendable {
    /// The client's verdict on a facility; `now` is in the zone of the device or server.
    func verdict(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> HoursVerdict
    /// The schedule that the client goes by; `nil` where the client crashes before it has chosen one.
    func schedule(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> OpeningSchedule?
}
