/// How one client reads opening hours: a small model of its published source, mistakes included.
protocol HoursReading: Sendable {
    /// What it says of a facility; `now` is in the zone of the device or server.
    func verdict(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> HoursVerdict
    /// The schedule that it goes by; `nil` where it crashes before it has one.
    func schedule(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> OpeningSchedule?
}
