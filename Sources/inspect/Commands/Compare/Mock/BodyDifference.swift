import Traffic

/// The first place where two bodies differ.
struct BodyDifference: Equatable {
    /// Bodies beyond this many bytes are not read as JSON.
    private static let jsonLimitBytes = 4 << 20
    /// Characters of a value that are shown.
    private static let shownCount = 60

    /// What the request's body has in that place; `nil` where the place is unknown.
    var here: String?
    /// What the recorded body has there.
    var recorded: String?

    /// The bodies differ in an unknown place.
    static let unknown = BodyDifference(here: nil, recorded: nil)

    private init(here: String?, recorded: String?) {
        (self.here, self.recorded) = (here, recorded)
    }

    /// Compares JSON by its structure, where the order of members means nothing, and other bodies byte for byte; `nil` when they are the same.
    init?(_ here: [UInt8], _ recorded: [UInt8]) {
        if here == recorded { return nil }
        guard max(here.count, recorded.count) <= BodyDifference.jsonLimitBytes, !here.isEmpty, !recorded.isEmpty,
            let left = try? JSONReader.exactValue(here), let right = try? JSONReader.exactValue(recorded)
        else {
            let offset = zip(here, recorded).prefix { $0 == $1 }.count
            self.init(
                here: "\(BodyDifference.size(here)), another from byte \(offset)",
                recorded: BodyDifference.size(recorded)
            )
            return
        }
        guard let found = BodyDifference.first(left, right, at: "") else { return nil }
        self = found
    }

    private static func size(_ bytes: [UInt8]) -> String { bytes.count.counted("byte") }

    private static func first(_ left: JSONValue, _ right: JSONValue, at pointer: String) -> BodyDifference? {
        switch (left, right) {
        case (.object(let ours), .object(let theirs)):
            // Of members of one name the last counts.
            let here = Dictionary(ours.map { (ExactText($0.name), $0.value) }) { $1 }
            let recorded = Dictionary(theirs.map { (ExactText($0.name), $0.value) }) { $1 }
            let names = ours.map { ExactText($0.name) } + theirs.map { ExactText($0.name) }.filter { here[$0] == nil }
            for name in names {
                let inner = JSONPointer.child(String(name.text), of: pointer)
                switch (here[name], recorded[name]) {
                case (let one?, let other?): if let found = first(one, other, at: inner) { return found }
                case (let one?, nil): return BodyDifference(here: "\(inner) \(shown(one))", recorded: "no \(inner)")
                case (nil, let other?): return BodyDifference(here: "no \(inner)", recorded: shown(other))
                case (nil, nil): break
                }
            }
            return nil
        case (.array(let ours), .array(let theirs)):
            for (position, pair) in zip(ours, theirs).enumerated() {
                if let found = first(pair.0, pair.1, at: JSONPointer.child(position, of: pointer)) { return found }
            }
            guard ours.count != theirs.count else { return nil }
            return BodyDifference(here: "\(pointer) of \(ours.count) elements", recorded: "\(theirs.count)")
        default:
            guard written(left) != written(right) else { return nil }
            let place = pointer.isEmpty ? "" : "\(pointer) "
            return BodyDifference(here: place + shown(left), recorded: shown(right))
        }
    }

    private static func written(_ value: JSONValue) -> [UInt8] {
        JSONWriter.bytes { $0.value(nil, value) }
    }

    private static func shown(_ value: JSONValue) -> String {
        let text = JSONGist.text(value)
        return text.count <= shownCount ? text : text.prefix(shownCount) + "…"
    }
}
