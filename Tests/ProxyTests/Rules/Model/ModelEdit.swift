import Support

@testable import Traffic

/// An edit of a head made up at random, as plain data, and what it makes of a head.
struct ModelEdit {
    /// A field, or an item of a query.
    typealias Item = (name: String, value: String)

    private let side: MessageSide
    private var method: String?
    private var path: String?
    private var removedItem: String?
    private var setItem: Item?
    private var addedItem: Item?
    private var status: Int?
    private var removedField: String?
    private var setField: Item?
    private var addedField: Item?

    init(_ dice: inout SeededGenerator, of side: MessageSide) {
        func maybe<Value>(_ values: [Value]) -> Value? {
            Int.random(in: 0..<3, using: &dice) == 0 ? values.randomElement(using: &dice) : nil
        }
        self.side = side
        switch side {
        case .request:
            method = maybe(["PATCH", "DELETE"])
            path = maybe(["/moved", "/a/b"])
            removedItem = maybe(["utm_*", "beta", "x"])
            setItem = maybe([("beta", "9"), ("new", "1")])
            addedItem = maybe([("beta", "3")])
            removedField = maybe(["x-debug*", "Accept", "X-Mark"])
            setField = maybe([("User-Agent", "Shop/9"), ("X-MARK", "2"), ("X-New", "a b")])
        case .response:
            status = maybe([201, 429])
            removedField = maybe(["x-kind", "set-cookie", "et*"])
            setField = maybe([("X-Kind", "c"), ("Content-Type", "text/html"), ("Server", "origin")])
        }
        addedField = maybe([("X-Added", "1"), ("x-kind", "d")])
    }

    /// Whether it changes what the line of a recorded exchange says of the response.
    var changesRecordedLine: Bool { status != nil || setField?.name == "Content-Type" }

    /// The edit as a rule has it.
    var edit: MessageEdit {
        var edit = MessageEdit()
        func items(_ item: Item?) -> [QueryEdit.Item] {
            item.map { [QueryEdit.Item(name: $0.name, value: Template(plain: $0.value))] } ?? []
        }
        func fields(_ item: Item?) -> [FieldEdit.Field] {
            item.map { [FieldEdit.Field(name: $0.name, value: Template(plain: $0.value))] } ?? []
        }
        (edit.method, edit.status) = (method, status)
        edit.path = path.map { Template(plain: $0) }
        edit.query.remove = removedItem.map { [NameGlob($0, ignoresCase: false)] } ?? []
        (edit.query.set, edit.query.add) = (items(setItem), items(addedItem))
        edit.fields.remove = removedField.map { [NameGlob($0, ignoresCase: true)] } ?? []
        (edit.fields.set, edit.fields.add) = (fields(setField), fields(addedField))
        return edit
    }

    /// Edits a head; false where that cannot be done, and then nothing of it is.
    func apply(to head: inout ModelHead) -> Bool {
        let parts = head.start.split(separator: " ", maxSplits: 2).map(String.init)
        // The client of a HEAD takes no body, and a 204 has none.
        guard parts.count == 3, method == nil || parts[0] != "HEAD", status == nil || parts[1] != "204" else {
            return false
        }
        if side == .request { head.start = "\(method ?? parts[0]) \(target(parts[1])) \(parts[2])" }
        if let status, parts[1] != "\(status)" {
            head.start = "HTTP/1.1 \(status) \(status == 201 ? "Created" : "Too Many Requests")"
        }
        if let removedField { head.remove(removedField) }
        if let setField { head.set(setField.name, setField.value) }
        if let addedField { head.lines.append("\(addedField.name): \(addedField.value)") }
        return true
    }

    private func target(_ target: String) -> String {
        func name(_ item: String) -> Substring { item.prefix { $0 != "=" }.replacing("%74", with: "t") }
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        var items = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
        if let removedItem { items.removeAll { ModelHead.isMeant(name($0), by: removedItem) } }
        if let setItem {
            let places = items.indices.filter { name(items[$0]) == setItem.name }
            for place in places.dropFirst().reversed() { items.remove(at: place) }
            let written = "\(setItem.name)=\(setItem.value)"
            if let first = places.first { items[first] = written } else { items.append(written) }
        }
        if let addedItem { items.append("\(addedItem.name)=\(addedItem.value)") }
        return (path ?? parts[0]) + (items.isEmpty ? "" : "?\(items.joined(separator: "&"))")
    }
}
