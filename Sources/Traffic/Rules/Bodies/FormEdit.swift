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
            items.map { QueryEdit.Item(name: $0.name, value: Template(plain: scope.text($0.value))) }
        }
        var ready = self
        (ready.set, ready.add) = (filled(set), filled(add))
        return ready
    }

    /// Edits a form.
    ///
    /// - Returns: the form; the same bytes where nothing changes.
    /// - Throws: `RuleFault` where it has too many items.
    func apply(to bytes: [UInt8], _ changes: inout BodyChanges) throws(RuleFault) -> [UInt8] {
        var items =
            bytes.isEmpty ? [] : bytes.split(separator: FormEdit.separator, omittingEmptySubsequences: false)
        guard items.count <= FormEdit.itemsLimit else {
            throw RuleFault("the form has more than \(FormEdit.itemsLimit) items")
        }
        for pattern in remove {
            items.removeAll { item in
                let name = ByteText.lossless(FormEdit.name(item))
                guard pattern.matches(name) else { return false }
                changes.add("form \(name) removed")
                return true
            }
        }
        for item in set {
            let written = FormEdit.written(item)
            let name = Array(item.name.utf8)
            let places = items.indices.filter { FormEdit.name(items[$0]) == name }
            guard let first = places.first else {
                items.append(written[...])
                changes.add("form \(item.name) added")
                continue
            }
            guard places.count > 1 || !items[first].elementsEqual(written) else { continue }
            items[first] = written[...]
            let others = Set(places.dropFirst())
            if !others.isEmpty { items = items.indices.filter { !others.contains($0) }.map { items[$0] } }
            changes.add("form \(item.name)")
        }
        for item in add {
            items.append(FormEdit.written(item)[...])
            changes.add("form \(item.name) added")
        }
        return Array(items.joined(separator: [FormEdit.separator]))
    }

    private static let separator = UInt8(ascii: "&")

    /// The name of an item, decoded.
    private static func name(_ item: ArraySlice<UInt8>) -> [UInt8] {
        PercentCoding.decoded(item.prefix { $0 != UInt8(ascii: "=") })
    }

    private static func written(_ item: QueryEdit.Item) -> [UInt8] {
        Array("\(PercentCoding.form(item.name))=\(PercentCoding.form(item.value.plain ?? ""))".utf8)
    }
}
