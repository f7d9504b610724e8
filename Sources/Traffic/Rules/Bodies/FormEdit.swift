/// The changes to a form (`application/x-www-form-urlencoded`): remove, set, add, in this order; every other item keeps its bytes and its place.
package struct FormEdit: Hashable, Sendable {
    /// Items of a form.
    private static let itemsLimit = 100_000

    package var remove: [NameGlob] = []
    /// Each replaces the first of its name; others of that name are removed.
    package var set: [QueryEdit.Item] = []
    package var add: [QueryEdit.Item] = []

    package init() {}

    package var isEmpty: Bool { self == FormEdit() }

    /// Whether the request's body is needed first.
    var needsBody: Bool { (set + add).contains { $0.value.needsBody } }

    /// The same with the values of templates filled in.
    func ready(_ scope: inout TemplateScope) -> FormEdit {
        func filled(_ items: [QueryEdit.Item]) -> [QueryEdit.Item] {
            items.map { QueryEdit.Item(name: $0.name, value: Template(plain: scope.text($0.value, in: .coded))) }
        }
        var ready = self
        (ready.set, ready.add) = (filled(set), filled(add))
        return ready
    }

    /// Edits a form.
    ///
    /// - Returns: the form; the same bytes where nothing changes.
    /// - Throws: `RuleFault` where it has too many items, or its edit takes too much work.
    func apply(
        to bytes: [UInt8],
        _ changes: inout BodyChanges,
        _ work: inout EditWork
    ) throws(RuleFault) -> [UInt8] {
        guard work.read(bytes.count) else { throw JSONDocument.tooMuch }
        // Counted first: a body that is all separators would be split into many times its bytes.
        let count = bytes.isEmpty ? 0 : 1 + bytes.count { $0 == FormEdit.separator }
        guard count <= FormEdit.itemsLimit else {
            throw RuleFault("the form has more than \(FormEdit.itemsLimit) items")
        }
        guard work.read(count * NamedItems<ArraySlice<UInt8>>.itemWork) else { throw JSONDocument.tooMuch }
        let split = count == 0 ? [] : bytes.split(separator: FormEdit.separator, omittingEmptySubsequences: false)
        var items = NamedItems(split, name: FormEdit.name)
        for pattern in remove { try items.remove(pattern, &work) { name, _ in changes.add("form \(name) removed") } }
        for item in set {
            let written = FormEdit.written(item)
            let (before, count) = items.set(item.name, to: written)
            if count == 0 {
                changes.add("form \(item.name) added")
            } else if count > 1 || before != written {
                changes.add("form \(item.name)")
            }
        }
        for item in add {
            items.add(item.name, FormEdit.written(item))
            changes.add("form \(item.name) added")
        }
        return Array(items.left.joined(separator: [FormEdit.separator]))
    }

    /// How many edits it is.
    var count: Int { remove.reduce(0) { $0 + $1.edits } + set.count + add.count }

    private static let separator = UInt8(ascii: "&")

    /// The name of an item, decoded.
    private static func name(_ item: ArraySlice<UInt8>) -> [UInt8] {
        PercentCoding.decoded(item.prefix { $0 != UInt8(ascii: "=") })
    }

    private static func written(_ item: QueryEdit.Item) -> ArraySlice<UInt8> {
        Array("\(PercentCoding.form(item.name))=\(PercentCoding.form(item.value.plain ?? ""))".utf8)[...]
    }
}
