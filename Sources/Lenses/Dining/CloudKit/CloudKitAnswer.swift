import Traffic

/// A response of CloudKit web services.
struct CloudKitAnswer: Sendable {
    /// The records in order, with errors in the places of some.
    var records: [CloudKitRecord] = []
    /// The error, where the whole answer is one.
    var problem: CloudKitProblem?
    /// Whether there are more records than these.
    var isContinued = false
    /// Whether a `changes` has more to come.
    var hasMoreChanges = false
    /// Why the body cannot be read, a sentence; `nil` where it can be read, or there is no body.
    var unreadable: String?

    /// Reads the response of a capture.
    init(_ capture: Capture) {
        guard !capture.response.isEmpty else {
            if capture.exchange.response != nil, capture.exchange.outcome == .completed {
                unreadable = "The body is empty."
            }
            return
        }
        do {
            read(try capture.response.strictJSON())
        } catch {
            unreadable = "The body \(error.description)."
        }
    }

    private mutating func read(_ body: JSONValue) {
        problem = CloudKitProblem(body)
        let zones = body["zones"]?.elements ?? []
        if let records = body["records"]?.elements {
            self.records = Self.records(records, at: "/records")
        } else if !zones.isEmpty {
            for (index, zone) in zones.enumerated() {
                let place = JSONPointer.child("records", of: JSONPointer.child(index, of: "/zones"))
                records += Self.records(zone["records"]?.elements ?? [], at: place)
            }
        } else if problem == nil {
            unreadable = "The body is \(body.kind) without records."
        }
        isContinued = body["continuationMarker"].map { !$0.isNull } ?? false
        hasMoreChanges = body["moreComing"]?.boolean == true || zones.contains { $0["moreComing"]?.boolean == true }
    }

    private static func records(_ values: [JSONValue], at pointer: String) -> [CloudKitRecord] {
        values.enumerated().map { CloudKitRecord($0.element, at: JSONPointer.child($0.offset, of: pointer)) }
    }

    /// The records that are menus, without deleted ones.
    var menus: [CloudKitRecord] { records.filter { $0.isMenu && $0.problem == nil && !$0.isDeleted } }

    /// The answer in words, one line.
    func sentence(status: Int?) -> String {
        if let problem { return "\(status.map { "\($0) " } ?? "")\(problem.text). \(problem.meaning)" }
        if let unreadable { return "\(status.map { "\($0). " } ?? "")\(unreadable)" }
        let good = records.filter { $0.problem == nil }
        let types = Dictionary(grouping: good) { $0.type ?? "untyped" }.sorted { $0.key < $1.key }
        var text = good.count.counted("record")
        if !types.isEmpty {
            text += ": " + types.map { "\($0.value.count) \($0.key)\(Self.days($0.value))" }.joined(separator: ", ")
        }
        let failed = records.count - good.count
        if failed > 0 { text += "; \(failed) in error" }
        if isContinued { text += "; there are more, which Bruin Life never asks for" }
        if hasMoreChanges { text += "; more changes are to come" }
        return text
    }

    /// The days that records span: ` (Fri 2015-05-29 to Thu 2015-06-04)`.
    private static func days(_ records: [CloudKitRecord]) -> String {
        let days = records.compactMap(\.day)
        guard let first = days.min(), let last = days.max() else { return "" }
        return first == last ? " (\(first.text))" : " (\(first.text) to \(last.text))"
    }

    /// Why an answer of status 200 is a failure: errors in the place of records, or a body without records; `nil` where it is none.
    func failure(status: Int?) -> String? {
        guard let status, (200..<300).contains(status) else { return nil }
        if let problem { return "\(status), but failed inside: \(problem.text)." }
        if let unreadable { return "\(status), but failed inside: \(unreadable)" }
        let failed = records.filter { $0.problem != nil }
        if let first = failed.first, let problem = first.problem {
            let which = failed.count.counted("record")
            let example = first.name.map { "\($0): \(problem.text)" } ?? problem.text
            return "\(status), but failed inside: \(which) of \(records.count) in error, \(example)."
        }
        let unsafe = menus.compactMap { record -> String? in
            do {
                _ = try DiningMenu(of: record)
                return nil
            } catch {
                return "\(record.name ?? "a record") \(error)"
            }
        }
        return unsafe.first.map {
            "\(status), but failed inside: \(unsafe.count) of \(menus.count.counted("menu")) cannot be shown, \($0)."
        }
    }
}
