import Traffic

/// A check of one exchange with Bruin Life's database against the rules.
struct DiningCheck {
    private var sample = CheckSample(limitOfRule: 50)

    private init() {}

    /// Finds what in a request and its answer breaks the rules.
    static func findings(call: CloudKitCall, answer: CloudKitAnswer) -> [CheckFinding] {
        var check = DiningCheck()
        check.call(call)
        for change in call.changes where change.record.isMenu { check.menu(change.record, in: .request) }
        for record in answer.menus { check.menu(record, in: .response) }
        check.together(answer.menus)
        if answer.isContinued, call.container == nil || call.container == DiningMenuLens.container {
            let count = answer.records.count
            check.find(
                DiningRules.cursor,
                at: "/continuationMarker",
                "A continuationMarker came after \(count.counted("record")): there are more."
            )
        }
        return check.sample.findings
    }

    private mutating func call(_ call: CloudKitCall) {
        guard call.container == DiningMenuLens.container, call.operation == "query", let type = call.recordType,
            type != CloudKitRecord.dayType
        else { return }
        find(
            DiningRules.type,
            in: .request,
            at: "/query/recordType",
            "The query asks for \(type), which the app itself never does."
        )
    }

    /// Checks one record alone.
    private mutating func menu(_ record: CloudKitRecord, in side: MessageSide) {
        let pointer = record.field("Data")?.pointer ?? JSONPointer.child("fields", of: record.pointer)
        let name = record.name ?? "a record without a name"
        if record.type == CloudKitRecord.dayType, record.name == "quick" {
            let place = JSONPointer.child("recordType", of: record.pointer)
            find(DiningRules.type, in: side, at: place, "The record “quick” is a DiningDay, not a QuickMenu.")
        }
        do {
            let payload = try DiningMenu.payload(of: record)
            let menu = try DiningMenu(payload)
            var check = DiningPayloadCheck(payload, menu, record: record, side: side, pointer: pointer)
            check.run()
            for finding in check.findings { sample.add(finding) }
        } catch {
            let stop: String? =
                if case .unsafe = error {
                    "The app prints STOPPED UNSAFE RECORD and shows no menu for it."
                } else {
                    nil
                }
            find(DiningRules.payload, in: side, at: pointer, "The payload of \(name) \(error).", consequence: stop)
        }
    }

    /// Checks the records of an answer against one another.
    private mutating func together(_ records: [CloudKitRecord]) {
        var seen: [CampusDay: CloudKitRecord] = [:]
        let days = records.filter { $0.type == CloudKitRecord.dayType }
        for record in days {
            guard let day = record.day else { continue }
            if let first = seen[day] {
                let names = "\(first.name ?? "?") and \(record.name ?? "?")"
                find(DiningRules.duplicate, at: record.pointer, "\(day.text) has two records, \(names).")
            } else {
                seen[day] = record
            }
        }
        let others = days.filter { record in record.day.map { !AcademicWeek.isOfKnownYear($0) } ?? false }
        if let first = others.first, let day = first.day {
            let more = others.count > 1 ? ", and \(others.count - 1) more like it" : ""
            let place = first.field("Day")?.pointer ?? first.pointer
            find(DiningRules.quarter, at: place, "\(day.text) is not in the academic year 2014–15\(more).")
        }
        let dated = records.compactMap { record -> (CloudKitRecord, String)? in
            guard let menu = try? DiningMenu(of: record), CampusDay(short: menu.date) != nil else { return nil }
            return (record, menu.date)
        }
        if let (record, date) = dated.first {
            let more = dated.count > 1 ? ", and \(dated.count - 1) more are" : ""
            find(
                DiningRules.locale,
                at: record.field("Data")?.pointer ?? record.pointer,
                "The payload's date “\(date)” is written as an American phone does\(more) (payload: /date)."
            )
        }
    }

    private mutating func find(
        _ rule: CheckRule,
        in side: MessageSide = .response,
        at pointer: String,
        _ message: String,
        consequence: String? = nil
    ) {
        sample.add(CheckFinding(rule, in: side, at: pointer, message, consequence: consequence))
    }
}
