import Foundation

/// The records, which a client with a user's token may modify.
actor CloudKitRecords {
    /// Records beyond this many are refused with a full quota, so that a client in a loop cannot fill the memory.
    static let limitCount = 2_000

    private(set) var records: [CloudKitRecord]
    private var serial = 0

    init(_ records: [CloudKitRecord]) {
        self.records = records
    }

    /// The records that are there.
    var present: [CloudKitRecord] { records.filter { !$0.isDeleted } }

    /// The number of changes so far.
    var changeCount: Int { serial }

    /// Does a list of operations; one that cannot be done is an error of its own, or of all operations where they are atomic.
    ///
    /// - Returns: the objects of the answer, and whether one of them is an error.
    func modify(_ operations: [JSON], isAtomic: Bool, at now: Date) -> (results: [JSON], hasFailed: Bool) {
        let before = (records, serial)
        var results: [JSON] = []
        var hasFailed = false
        for operation in operations {
            let result = modify(operation, at: now)
            results.append(result)
            if result["serverErrorCode"] != nil { hasFailed = true }
        }
        if hasFailed, isAtomic { (records, serial) = before }
        return (results, hasFailed)
    }

    private func modify(_ operation: JSON, at now: Date) -> JSON {
        let kind = operation["operationType"]?.text ?? ""
        guard let record = operation["record"] else {
            return CloudKitErrors.record("", .badRequest, reason: "missing required field 'record'")
        }
        let name = record["recordName"]?.text ?? "made-\(serial + 1)"
        let position = records.firstIndex { $0.name == name && !$0.isDeleted }
        switch kind {
        case "create":
            guard position == nil else { return CloudKitErrors.record(name, .exists) }
            return add(name, record, at: now)
        case "update", "replace", "delete":
            guard let position else { return CloudKitErrors.record(name, .notFound, reason: "Record not found") }
            guard record["recordChangeTag"]?.text == records[position].changeTag else {
                return CloudKitErrors.record(name, .conflict)
            }
            return change(position, kind, record, at: now)
        case "forceUpdate", "forceReplace", "forceDelete":
            guard let position else {
                guard kind != "forceDelete" else { return ["recordName": .string(name), "deleted": true] }
                return add(name, record, at: now)
            }
            return change(position, kind, record, at: now)
        default: return CloudKitErrors.record(name, .badRequest, reason: "Unknown operationType \(kind)")
        }
    }

    private func add(_ name: String, _ record: JSON, at now: Date) -> JSON {
        guard let type = record["recordType"]?.text, !type.isEmpty else {
            return CloudKitErrors.record(name, .badRequest, reason: "missing required field 'recordType'")
        }
        guard records.count < Self.limitCount else { return CloudKitErrors.record(name, .quotaExceeded) }
        if let named = danglingReference(record["fields"]) {
            return CloudKitErrors.record(name, .validatingReferenceError, reason: "there is no record \(named)")
        }
        serial += 1
        let made = CloudKitRecord(
            name: name,
            type: type,
            changeTag: tag,
            fields: record["fields"] ?? .object([]),
            created: now,
            modified: now,
            serial: serial
        )
        records.append(made)
        return made.json
    }

    private func change(_ position: Int, _ kind: String, _ record: JSON, at now: Date) -> JSON {
        serial += 1
        records[position].serial = serial
        records[position].modified = now
        records[position].changeTag = tag
        if kind == "delete" || kind == "forceDelete" {
            records[position].isDeleted = true
            return records[position].json
        }
        guard case .object(let new) = record["fields"] ?? .object([]) else { return records[position].json }
        if kind == "replace" || kind == "forceReplace" {
            records[position].fields = .object(new)
        } else if case .object(let old) = records[position].fields {
            let kept = old.filter { member in !new.contains { $0.name == member.name } }
            records[position].fields = .object(kept + new.filter { $0.value["value"] != .null })
        }
        return records[position].json
    }

    /// The name a reference among the fields gives that no record has.
    private func danglingReference(_ fields: JSON?) -> String? {
        guard case .object(let members) = fields else { return nil }
        return members.lazy.filter { $0.value["type"]?.text == "REFERENCE" }
            .compactMap { $0.value["value"]?["recordName"]?.text }
            .first { name in !self.records.contains { $0.name == name && !$0.isDeleted } }
    }

    private var tag: String { "k" + String(serial + 1_000, radix: 36) }
}
