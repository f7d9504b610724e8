/// The changes to a JSON body with their values filled in.
struct ReadyJSONEdit: Sendable {
    enum Step: Sendable {
        case set(JSONPath, FilledJSON)
        case insert(JSONPath, FilledJSON)
        case remove(JSONPath)
        case merge(FilledJSON)
    }

    /// An operation of a patch, and its value.
    struct Operation: Sendable {
        let operation: JSONPatchOperation
        let value: FilledJSON?
    }

    var steps: [Step] = []
    var patch: [Operation] = []

    /// How many edits it is; each member of a merge is one.
    var count: Int {
        steps.reduce(patch.count) { count, step in
            if case .merge(let value) = step { count + value.membersCount } else { count + 1 }
        }
    }

    /// Edits a text, or each of several that follow one another.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - charset: its charset, of which no byte of one character can be taken for another.
    ///   - changes: gets what was changed.
    ///   - work: the work that is left for the body; it is reduced by what was done.
    /// - Returns: the text; the same bytes where nothing changes.
    /// - Throws: `RuleFault` where it is no JSON, where a patch cannot be done, and where all this takes too much work.
    func apply(
        to bytes: [UInt8],
        in charset: Charset,
        _ changes: inout BodyChanges,
        _ work: inout EditWork
    ) throws(RuleFault) -> [UInt8] {
        guard work.read(bytes.count) else { throw JSONDocument.tooMuch }
        var document = try JSONDocument(bytes, charset, work)
        defer { work = document.work }
        for step in steps {
            switch step {
            case .set(let path, let value): try document.set(path, value, &changes)
            case .insert(let path, let value): try document.insert(path, value, &changes)
            case .remove(let path): try document.remove(path, &changes)
            case .merge(let value): try document.merge(value, &changes)
            }
        }
        try document.patch(patch, &changes)
        return try document.finished()
    }
}
