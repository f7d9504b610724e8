import Foundation

/// A maker of the campus that the stand-in serves: invented places with the edge cases of real data, dated around an instant.
///
/// The letters in comments name the case (see `CampusSeed+Facilities`): A overnight all week, B late on Friday and Saturday only,
/// C round the clock without entries, D a special that closes all day, E a special round the clock, F an entry a day too long,
/// G and H midnight written as 23:59:59 and 23:59:00, I two sittings, J an end before its start, K no entries, L a special without
/// dates, M an accent and an apostrophe, N a location without a friendly name and two of one building, O two categories of one name,
/// P a special that is past, Q an alert of each urgency, R a place round the clock that a special closes at night.
struct CampusSeed: Sendable {
    let time: WallTime
    private let midnight: Date

    /// A seed for the day of an instant.
    init(time: WallTime, now: Date) throws(FacilityAPIError) {
        self.time = time
        guard let midnight = time.date(daysFrom: now, 0) else {
            throw FacilityAPIError("the clock shows a time no calendar has")
        }
        self.midnight = midnight
    }

    /// All the data.
    func catalogue() throws(FacilityAPIError) -> Catalogue {
        var catalogue = Catalogue(places: places, kinds: kinds, alerts: alerts)
        for (number, plan) in plans.enumerated() {
            guard let place = places.first(where: { $0.building == plan.building && $0.address == plan.address }),
                let kind = kinds.first(where: { $0.id == plan.kindID })
            else { throw FacilityAPIError("the seed has no place or category for \(plan.name)") }
            let base = 200 + number * 10
            let edited = past(days: 3 + number * 5, microsecond: 17_391 + number * 31_017)
            catalogue.schedules.append(
                schedule(base, "\(plan.name) [\(plan.season)]", plan.week, edited, isWhole: plan.isTwentyFourHours)
            )
            for (position, special) in plan.specials.enumerated() {
                catalogue.schedules.append(
                    schedule(
                        base + 1 + position,
                        special.name,
                        special.week,
                        edited,
                        from: special.days.map { day($0.lowerBound).addingTimeInterval(special.startFraction) },
                        to: special.days.map { day($0.upperBound) },
                        isWhole: special.isTwentyFourHours
                    )
                )
            }
            catalogue.facilities.append(
                Facility(
                    slug: plan.slug,
                    name: plan.name,
                    logo: "https://cdn.campus.example/logos/\(plan.slug).png",
                    placeID: place.id,
                    kindID: kind.id,
                    phone: plan.phone,
                    tags: plan.tags,
                    labels: [kind.name],
                    classifier: plan.classifier,
                    tapingoURL: plan.tapingo.map { "https://www.tapingo.com/order/restaurant/\($0)/" } ?? "",
                    note: plan.note,
                    mainScheduleID: base,
                    specialScheduleIDs: plan.specials.indices.map { base + 1 + $0 },
                    modified: edited
                )
            )
        }
        return catalogue
    }

    /// Midnight a number of days from the seed's day.
    func day(_ days: Int) -> Date {
        time.date(daysFrom: midnight, days) ?? midnight.addingTimeInterval(Double(days) * 86_400)
    }

    /// Some time of day a number of days ago, with microseconds as a database keeps them.
    func past(days: Int, microsecond: Int) -> Date {
        let second = (days * 7_919 + 34_567) % 86_400
        let start = time.date(daysFrom: midnight, -days, second: second) ?? midnight
        return start.addingTimeInterval(Double(microsecond % 1_000_000) / 1_000_000)
    }

    private func schedule(
        _ id: Int,
        _ name: String,
        _ week: [WeekEntry],
        _ modified: Date,
        from: Date? = nil,
        to: Date? = nil,
        isWhole: Bool
    ) -> Schedule {
        Schedule(
            id: id,
            openTimes: week.flatMap { entry in
                entry.days.map { startDay in
                    OpenTime(
                        modified: modified,
                        startDay: startDay,
                        endDay: (startDay + entry.nights) % 7,
                        start: entry.start,
                        end: entry.end
                    )
                }
            },
            modified: modified,
            name: name,
            validStart: from,
            validEnd: to,
            isTwentyFourHours: isWhole
        )
    }
}
