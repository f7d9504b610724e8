import Foundation
import Traffic

/// The checks of datasets.
extension CKANCheck {
    mutating func checkPackages() {
        var titles: [String: String] = [:]
        var seen: Set<String> = []
        for (package, pointer) in reading.packages {
            let missing = ["id", "name", "title"].filter { Dataset.text(package[$0]) == nil }
            if !missing.isEmpty {
                add(
                    CKANRule.package,
                    at: pointer,
                    "\(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") missing"
                )
            }
            guard let dataset = Dataset(package), seen.insert(dataset.id).inserted else { continue }
            if Dataset.text(package["title"]) != nil,
                let other = titles.updateValue(dataset.name, forKey: dataset.title)
            {
                add(
                    CKANRule.title,
                    at: pointer + "/title",
                    "\(other) and \(dataset.name) are both called “\(dataset.title)”"
                )
            }
            check(dataset, package, at: pointer)
        }
    }

    private mutating func check(_ dataset: Dataset, _ package: JSONValue, at pointer: String) {
        for name in ["last_refreshed", "metadata_created", "metadata_modified"] {
            checkDate(package[name], at: JSONPointer.child(name, of: pointer))
        }
        for name in ["formats", "topics", "civic_issues"] where package[name]?.string != nil {
            add(CKANRule.kinds, at: JSONPointer.child(name, of: pointer), "\(name) is one string with commas")
        }
        if let word = package["is_retired"]?.string {
            add(CKANRule.kinds, at: pointer + "/is_retired", "is_retired is the string “\(word)”")
        }
        if dataset.formats.isEmpty, !dataset.resources.isEmpty {
            add(
                CKANRule.formats,
                at: pointer + "/formats",
                "\(dataset.name) has \(dataset.resources.count.counted("resource")) and no formats"
            )
        }
        if dataset.licence == nil {
            add(CKANRule.licence, at: pointer + "/license_id", "\(dataset.name) names no licence")
        }
        if dataset.isRetired { add(CKANRule.retired, at: pointer + "/is_retired", "\(dataset.name) is retired") }
        if case .stale(let late) = dataset.freshness(at: reading.moment) {
            add(
                CKANRule.stale,
                at: pointer + (dataset.lastRefreshed == nil ? "/metadata_modified" : "/last_refreshed"),
                "\(dataset.name) is \(dataset.refreshRate ?? ""), was refreshed "
                    + "\(DatasetCard.moment(dataset.refreshed, at: reading.moment)), and is overdue by \(DatasetFreshness.age(late))"
            )
        }
        if let words = dataset.refreshRate, RefreshRate(words) == nil {
            add(CKANRule.refresh, at: pointer + "/refresh_rate", "“\(words)” is no refresh rate that is known")
        }
        for (name, list) in [("num_resources", "resources"), ("num_tags", "tags")] {
            guard let count = package[name]?.integer, let there = package[list]?.elements?.count, count != there else {
                continue
            }
            add(
                CKANRule.counts,
                at: JSONPointer.child(name, of: pointer),
                "\(name) is \(count), and \(there) are there"
            )
        }
        for (index, resource) in (package["resources"]?.elements ?? []).enumerated() {
            let place = "\(pointer)/resources/\(index)"
            let url = Dataset.text(resource["url"])
            if !CKANCheck.canBeOpened(url) {
                add(
                    CKANRule.address,
                    at: place + "/url",
                    url.map { "“\($0)” is no http or https address" } ?? "url is missing"
                )
            }
            for name in ["created", "last_modified"] {
                checkDate(resource[name], at: JSONPointer.child(name, of: place))
            }
        }
    }

    /// Checks that a date has the form that the app reads; null and a missing date pass.
    mutating func checkDate(_ value: JSONValue?, at pointer: String) {
        guard let value, !value.isNull else { return }
        guard let text = value.string else { return add(CKANRule.dates, at: pointer, "a date is \(value.kind)") }
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        if Timestamp.microseconds(text) == nil {
            add(CKANRule.dates, at: pointer, "“\(text.prefix(60))” is no date")
        } else if !CKANCheck.isNaiveDate(text) {
            add(CKANRule.dates, at: pointer, "“\(text.prefix(60))” is not written as the app reads dates")
        }
    }

    private static func canBeOpened(_ url: String?) -> Bool {
        guard let url, let end = url.range(of: "://") else { return false }
        return ["http", "https"].contains(url[..<end.lowerBound].lowercased()) && end.upperBound < url.endIndex
    }

    /// Whether a date has the form that the app reads: `2026-09-14T16:00:00.123456`, with a fraction of one to six digits and no zone.
    private static func isNaiveDate(_ text: String) -> Bool {
        let shape = "0000-00-00T00:00:00.".utf8
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard (shape.count + 1...shape.count + 6).contains(text.utf8.count) else { return false }
        return zip(text.utf8, shape).allSatisfy { byte, sign in sign == 0x30 ? isDigit(byte) : byte == sign }
            && text.utf8.dropFirst(shape.count).allSatisfy(isDigit)
    }
}
