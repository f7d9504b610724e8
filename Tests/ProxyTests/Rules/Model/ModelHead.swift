@testable import Traffic

/// A head as the model of the rules has it: its lines, without their ends.
struct ModelHead: Equatable {
    /// The request line or the status line.
    var start: String
    /// The field lines.
    var lines: [String]

    /// A head of lines.
    init(_ start: String, _ lines: [String]) { (self.start, self.lines) = (start, lines) }

    /// A head as it came, from its first line to the empty one.
    init(_ text: String) {
        var lines = text.split(separator: "\r\n").map(String.init)
        start = lines.isEmpty ? "" : lines.removeFirst()
        self.lines = lines
    }

    /// The bytes of the head.
    var text: String { ([start] + lines + [""]).map { "\($0)\r\n" }.joined() }

    /// The name of a field line.
    static func name(_ line: String) -> Substring { line.prefix { $0 != ":" } }

    /// The value of a field line, without the blanks round it.
    static func value(_ line: String) -> Substring {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        var value = line.drop { $0 != ":" }.dropFirst().drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        return value
    }

    /// Whether a pattern means a name, ignoring case; it may end in `*`.
    static func isMeant(_ name: some StringProtocol, by pattern: String) -> Bool {
        guard pattern.hasSuffix("*") else { return ASCII.isSame(name, pattern) }
        return ASCII.isSame(name.prefix(pattern.count - 1), pattern.dropLast())
    }

    /// Puts a field in the place of the first of its name, and takes the others away; where there is none, it goes to the end.
    mutating func set(_ name: String, _ value: String) {
        let places = lines.indices.filter { ModelHead.isMeant(ModelHead.name(lines[$0]), by: name) }
        guard let first = places.first else { return lines.append("\(name): \(value)") }
        if ModelHead.value(lines[first]) != value { lines[first] = "\(ModelHead.name(lines[first])): \(value)" }
        for place in places.dropFirst().reversed() { lines.remove(at: place) }
    }

    /// Takes the fields away that a pattern means.
    mutating func remove(_ pattern: String) {
        lines.removeAll { ModelHead.isMeant(ModelHead.name($0), by: pattern) }
    }
}
