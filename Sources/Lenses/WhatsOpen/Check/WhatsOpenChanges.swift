import Foundation

/// The changes between two captures of the same endpoint, a sentence each.
struct WhatsOpenChanges {
    /// The changes between two answers; elements that came or went are told of lists only.
    static func sentences(_ before: WhatsOpenAnswer, _ after: WhatsOpenAnswer) -> [String] {
        switch (before, after) {
        case (.facilities(let old, let isList), .facilities(let new, _)):
            return matched(old, new, key: \.slug, isList: isList, name: \.title, what: "facility", changes)
        case (.alerts(let old, let isList), .alerts(let new, _)):
            return matched(
                old,
                new,
                key: { $0.id.map { "\($0)" } ?? $0.subject },
                isList: isList,
                name: { "alert “\($0.subject)”" },
                what: "",
                changes
            )
        case (.schedules(let old, let isList), .schedules(let new, _)):
            return matched(
                old,
                new,
                key: { $0.id.map { "\($0)" } ?? $0.name },
                isList: isList,
                name: { "schedule “\($0.name)”" },
                what: "",
                { hours($0, $1) + fields([("name", $0.name, $1.name)]) }
            )
        case (.locations(let old, let isList), .locations(let new, _)):
            return matched(
                old,
                new,
                key: { $0.id.map { "\($0)" } ?? $0.building },
                isList: isList,
                name: \.title,
                what: "location"
            ) {
                $0 == $1
                    ? []
                    : fields([
                        ("building", $0.building, $1.building),
                        ("friendly name", $0.friendlyBuilding, $1.friendlyBuilding),
                        ("address", $0.address, $1.address), ("campus", $0.region, $1.region),
                    ])
            }
        case (.categories(let old, let isList), .categories(let new, _)):
            return matched(
                old,
                new,
                key: { $0.id.map { "\($0)" } ?? $0.name },
                isList: isList,
                name: \.name,
                what: "category"
            ) {
                fields([("name", $0.name, $1.name)])
            }
        default: return []
        }
    }

    private static func matched<Element>(
        _ old: [Element],
        _ new: [Element],
        key: (Element) -> String,
        isList: Bool,
        name: (Element) -> String,
        what: String,
        _ changes: (Element, Element) -> [String]
    ) -> [String] {
        let before = Dictionary(old.map { (key($0), $0) }) { first, _ in first }
        let after = Dictionary(new.map { (key($0), $0) }) { first, _ in first }
        let prefix = what.isEmpty ? "" : what + " "
        var sentences: [String] = []
        for element in new {
            guard let earlier = before[key(element)] else {
                sentences.append("added \(prefix)\(name(element))")
                continue
            }
            let found = changes(earlier, element)
            if !found.isEmpty { sentences.append("\(name(element)): \(found.joined(separator: "; "))") }
        }
        for element in old where after[key(element)] == nil { sentences.append("removed \(prefix)\(name(element))") }
        return sentences
    }

    private static func changes(_ old: Facility, _ new: Facility) -> [String] {
        var found = fields([
            ("name", old.name, new.name), ("location", old.location?.title ?? "none", new.location?.title ?? "none"),
            ("category", old.category?.name ?? "none", new.category?.name ?? "none"), ("phone", old.phone, new.phone),
            ("tags", old.tags.joined(separator: ", "), new.tags.joined(separator: ", ")), ("note", old.note, new.note),
            ("link to order", old.tapingoURL, new.tapingoURL),
        ])
        switch (old.main, new.main) {
        case (let old?, let new?):
            found += fields([("main schedule", old.name, new.name)]) + hours(old, new)
        case (nil, let new?): found.append("main schedule “\(new.name)” added")
        case (let old?, nil): found.append("main schedule “\(old.name)” removed")
        case (nil, nil): break
        }
        let key = { (schedule: OpeningSchedule) in schedule.id.map { "\($0)" } ?? schedule.name }
        for special in new.specials {
            if let earlier = old.specials.first(where: { key($0) == key(special) }) {
                found += hours(earlier, special).map { "special “\(special.name)”: \($0)" }
            } else {
                found.append("special schedule “\(special.name)” added")
            }
        }
        for special in old.specials where !new.specials.contains(where: { key($0) == key(special) }) {
            found.append("special schedule “\(special.name)” removed")
        }
        return found
    }

    private static func changes(_ old: CampusAlert, _ new: CampusAlert) -> [String] {
        fields([
            ("subject", old.subject, new.subject), ("urgency", old.urgency, new.urgency), ("body", old.body, new.body),
            ("link", old.url, new.url), ("from", old.start?.text ?? "", new.start?.text ?? ""),
            ("to", old.end?.text ?? "", new.end?.text ?? ""),
        ])
    }

    /// `Friday closes 20:00, before 21:00`.
    private static func hours(_ old: OpeningSchedule, _ new: OpeningSchedule) -> [String] {
        var found = fields([
            ("valid from", old.validStart?.text ?? "null", new.validStart?.text ?? "null"),
            ("valid to", old.validEnd?.text ?? "null", new.validEnd?.text ?? "null"),
        ])
        if old.isTwentyFourHours != new.isTwentyFourHours {
            found.append(new.isTwentyFourHours ? "now open 24 hours" : "no longer open 24 hours")
        }
        for day in 0..<7 {
            let before = old.entries.filter { $0.startDay == day }
            let after = new.entries.filter { $0.startDay == day }
            guard before.map(\.words) != after.map(\.words) else { continue }
            let name = longNames[day]
            guard before.count == 1, after.count == 1, let before = before.first, let after = after.first else {
                found.append("\(name) \(list(after)), before \(list(before))")
                continue
            }
            var parts: [String] = []
            if before.startText != after.startText {
                parts.append(
                    "opens \(OpeningEntry.clock(after.startText)), before \(OpeningEntry.clock(before.startText))"
                )
            }
            if before.endText != after.endText || before.endDay != after.endDay {
                parts.append("closes \(end(after)), before \(end(before))")
            }
            found.append("\(name) \(parts.joined(separator: " and "))")
        }
        return found
    }

    private static let longNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    private static func end(_ entry: OpeningEntry) -> String {
        let day = entry.startDay == entry.endDay ? "" : (entry.endDay.map { OpeningEntry.dayNames[$0] } ?? "?") + " "
        return day + OpeningEntry.clock(entry.endText)
    }

    private static func list(_ entries: [OpeningEntry]) -> String {
        entries.isEmpty ? "closed" : entries.map(\.words).joined(separator: ", ")
    }

    private static func fields(_ fields: [(name: String, old: String, new: String)]) -> [String] {
        fields.filter { $0.old != $0.new }.map { field in
            "\(field.name) \(field.new.isEmpty ? "(none)" : field.new), before \(field.old.isEmpty ? "(none)" : field.old)"
        }
    }
}
