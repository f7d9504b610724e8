package import Foundation

/// The parts of a view of an answer of What's Open.
package struct WhatsOpenSections {
    private let now: Date
    private let clock: CampusClock

    package init(at now: Date, clock: CampusClock) { (self.now, self.clock) = (now, clock) }

    /// The parts for an answer.
    func sections(_ answer: WhatsOpenAnswer) -> [LensSection] {
        switch answer {
        case .facilities(let facilities, let isList):
            if !isList, let facility = facilities.first {
                return FacilityExplanation(facility, at: now, clock: clock).sections()
            }
            return [LensSection("Facilities at \(clock.full(now))", .table(table(facilities)))]
        case .alerts(let alerts, _): return [LensSection("Alerts at \(clock.full(now))", .table(table(alerts)))]
        case .locations(let places, _): return [LensSection("Locations", .table(table(places)))]
        case .categories(let kinds, _):
            let rows = kinds.map { [LensText($0.id.map { "\($0)" } ?? "?", .faint), LensText($0.name)] }
            return [LensSection("Categories", .table(LensTable(columns: ["id", "name"], rows: rows)))]
        case .schedules(let schedules, _): return [LensSection("Schedules", .table(table(schedules)))]
        case .refusal(let text): return [LensSection("The server says", .text(text))]
        case .root(let names): return [LensSection("Resources", .text(names.joined(separator: "\n")))]
        case .page, .nothing, .unreadable, .foreign: return []
        }
    }

    private func table(_ facilities: [Facility]) -> LensTable {
        let rows = facilities.lazy.map { facility -> [LensText] in
            let status = OpeningHours(facility, around: now, clock: clock).status(at: now)
            let words = FacilityWords(status, at: now, clock: clock)
            return [
                LensText(facility.title), words.state, LensText(words.closes), LensText(words.opensNext),
                LensText(status.schedule?.name ?? "none", .faint), LensText(facility.location?.region ?? "", .faint),
                LensText(DataWarning.summary(facility.warnings), .warning),
            ]
        }
        return LensTable(
            columns: ["facility", "now", "closes", "opens next", "schedule", "campus", "warnings"],
            rows: rows
        )
    }

    /// The alerts in the order of the answer; those that are shown now have their tone.
    package func table(_ alerts: [CampusAlert]) -> LensTable {
        let rows = alerts.map { alert -> [LensText] in
            let isActive = alert.isActive(at: now)
            let state =
                isActive ? "shown" : alert.isExpired(at: now) ? "past" : alert.start?.date == nil ? "never" : "not yet"
            return [
                LensText(alert.urgency, isActive ? alert.tone : .faint),
                LensText(alert.subject, isActive ? .plain : .faint),
                LensText(state, isActive ? .good : .faint), LensText(date(alert.start), .faint),
                LensText(date(alert.end), .faint),
                LensText(alert.body, .faint),
            ]
        }
        return LensTable(columns: ["urgency", "subject", "now", "from", "to", "body"], rows: rows)
    }

    private func table(_ places: [CampusLocation]) -> LensTable {
        let rows = places.map { place -> [LensText] in
            let point = place.latitude.flatMap { latitude in place.longitude.map { "\(latitude), \($0)" } } ?? "–"
            return [
                LensText(place.building), LensText(place.friendlyBuilding, .faint), LensText(place.address),
                LensText(place.region), LensText(place.isOnCampus ? "yes" : "no"), LensText(point, .faint),
            ]
        }
        return LensTable(
            columns: ["building", "also called", "address", "campus", "on campus", "latitude, longitude"],
            rows: rows
        )
    }

    private func table(_ schedules: [OpeningSchedule]) -> LensTable {
        let rows = schedules.map { schedule -> [LensText] in
            let hours = schedule.isTwentyFourHours ? "24 hours" : schedule.entries.map(\.words).joined(separator: ", ")
            return [
                LensText(schedule.name), LensText(hours.isEmpty ? "never" : hours),
                LensText(date(schedule.validStart), .faint), LensText(date(schedule.validEnd), .faint),
            ]
        }
        return LensTable(columns: ["schedule", "open", "valid from", "to"], rows: rows)
    }

    private func date(_ date: WireDate?) -> String { date.map { $0.date.map(clock.full) ?? "“\($0.text)”" } ?? "–" }
}
