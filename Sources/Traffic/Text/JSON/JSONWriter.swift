package import NIOCore

/// Writes JSON text: keys in the order in which they are written, slashes unescaped, and strings that may be longer than memory.
///
/// It appends to its own bytes and never fails; a caller that streams takes the bytes out as often as it likes.
package struct JSONWriter {
    /// What has been written since the last `take`.
    package private(set) var bytes: [UInt8] = []
    /// Bytes that were taken out.
    private var taken: Int64 = 0
    /// Where the open string begins, and how many escapes it has.
    private var opened: (start: Int64, escapes: Int64) = (0, 0)
    /// Bytes of the longest string since this was set to 0, without the backslashes of its escapes.
    package var longestText: Int64 = 0
    /// Values that have been written or begun, nested ones included.
    package private(set) var values: Int64 = 0
    /// How many members each open object or array has so far.
    private var counts: [Int] = []
    private let isIndented: Bool

    /// A writer of one line, or, indented, of one member a line with two spaces a level.
    package init(isIndented: Bool = false) {
        self.isIndented = isIndented
    }

    /// A text as a JSON string, in quotes; JavaScript and the templates of rules read it too.
    package static func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.string(nil, text)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Bytes that have been written, taken out or not.
    package var length: Int64 { taken + Int64(bytes.count) }

    /// Whether what has been written is within these bounds.
    package func isWithin(_ bounds: JSONBounds) -> Bool {
        length <= bounds.length && longestText <= bounds.text && values <= bounds.values
    }

    /// What became of a value that may be too much.
    package enum Attempt: Hashable, Sendable {
        /// It is written.
        case written
        /// It has a string that is too long, so it was taken back.
        case long
        /// There is no room for it, so it was taken back.
        case full
    }

    /// Writes one value into the open array or object; takes it back where it passes the bounds.
    ///
    /// - Parameters:
    ///   - bounds: of all that is written, the value included.
    ///   - value: writes exactly one value, and takes nothing out.
    /// - Returns: whether it is written, and why it is not.
    package mutating func attempt(within bounds: JSONBounds, _ value: (inout JSONWriter) -> Void) -> Attempt {
        let (count, longest, number) = (bytes.count, longestText, values)
        value(&self)
        if isWithin(bounds) { return .written }
        let isLong = longestText > bounds.text
        bytes.removeLast(bytes.count - count)
        (longestText, values) = (longest, number)
        if let last = counts.indices.last { counts[last] -= 1 }
        return isLong ? .long : .full
    }

    /// Takes out what has been written.
    package mutating func take() -> [UInt8] {
        taken += Int64(bytes.count)
        defer { bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20) }
        return bytes
    }

    /// Writes an object; `name` is for one inside an object.
    package mutating func object(_ name: String? = nil, _ members: (inout JSONWriter) throws -> Void) rethrows {
        begin(name)
        bytes.append(UInt8(ascii: "{"))
        counts.append(0)
        try members(&self)
        close("}")
    }

    /// Writes an array.
    package mutating func array(_ name: String? = nil, _ elements: (inout JSONWriter) throws -> Void) rethrows {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        counts.append(0)
        try elements(&self)
        close("]")
    }

    /// Writes an array of objects, one for each element.
    package mutating func objects<Element>(
        _ name: String? = nil,
        _ elements: some Sequence<Element>,
        _ members: (Element, inout JSONWriter) throws -> Void
    ) rethrows {
        try array(name) { json in
            for element in elements { try json.object { json in try members(element, &json) } }
        }
    }

    /// Writes an array of strings.
    package mutating func strings(_ name: String? = nil, _ texts: some Sequence<String>) {
        array(name) { json in for text in texts { json.string(nil, text) } }
    }

    /// Writes a string, or null.
    package mutating func string(_ name: String? = nil, _ value: String?) {
        begin(name)
        guard let value else { return literal("null") }
        quoted(value)
    }

    /// Writes a whole number, or null.
    package mutating func integer(_ name: String? = nil, _ value: (some BinaryInteger)?) {
        begin(name)
        literal(value.map { String($0) } ?? "null")
    }

    /// Writes a finite number with the fewest digits that give it back.
    package mutating func number(_ name: String? = nil, _ value: Double) {
        begin(name)
        literal(value.description)
    }

    /// Writes bytes as text where they are UTF-8, else as base64 under `nameBase64`; nothing for `nil`.
    package mutating func bytes(_ name: String, _ value: ByteBuffer?) {
        guard let value else { return }
        if let text = String(validating: value.readableBytesView, as: UTF8.self) {
            string(name, text)
        } else {
            string(name + "Base64", Base64Encoder.text(Array(value.readableBytesView)))
        }
    }

    /// Writes bytes as base64 where they are no UTF-8, because the text beside them is not exact then; else nothing.
    package mutating func exact(_ name: String, _ value: ByteBuffer?) {
        guard let value, String(validating: value.readableBytesView, as: UTF8.self) == nil else { return }
        string(name, Base64Encoder.text(Array(value.readableBytesView)))
    }

    /// Writes microseconds as milliseconds with up to three decimals, or null.
    package mutating func milliseconds(_ name: String? = nil, microseconds value: Int64?) {
        begin(name)
        guard let value else { return literal("null") }
        let magnitude = value.magnitude
        literal("\(value < 0 ? "-" : "")\(magnitude / 1000)")
        var decimals = magnitude % 1000
        guard decimals > 0 else { return }
        var width = 3
        while decimals % 10 == 0 {
            decimals /= 10
            width -= 1
        }
        let digits = String(decimals)
        literal("." + String(repeating: "0", count: width - digits.count) + digits)
    }

    /// Writes microseconds as seconds with six decimals.
    package mutating func seconds(_ name: String? = nil, microseconds value: Int64) {
        begin(name)
        let magnitude = value.magnitude
        let decimals = String(magnitude % 1_000_000)
        literal("\(value < 0 ? "-" : "")\(magnitude / 1_000_000).")
        literal(String(repeating: "0", count: 6 - decimals.count) + decimals)
    }

    /// Writes true or false.
    package mutating func boolean(_ name: String? = nil, _ value: Bool) {
        begin(name)
        literal(value ? "true" : "false")
    }

    /// Writes null.
    package mutating func null(_ name: String? = nil) {
        begin(name)
        literal("null")
    }

    /// Ends a line, for one JSON text a line.
    package mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Opens a string that `append(utf8:)` and `append(ascii:)` fill and `closeString` ends.
    package mutating func openString(_ name: String? = nil) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        opened = (length, 0)
    }

    /// Adds text to the open string; the pieces must be valid UTF-8 together, not each by itself.
    package mutating func append(utf8 text: some Sequence<UInt8>) {
        for byte in text { escape(byte) }
    }

    /// Adds bytes that need no escaping to the open string, such as base64.
    package mutating func append(ascii text: some Sequence<UInt8>) {
        bytes.append(contentsOf: text)
    }

    /// Ends the open string.
    package mutating func closeString() {
        longestText = max(longestText, length - opened.start - opened.escapes)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func begin(_ name: String?) {
        values += 1
        if let last = counts.indices.last {
            if counts[last] > 0 { bytes.append(UInt8(ascii: ",")) }
            counts[last] += 1
            breakLine()
        }
        guard let name else { return }
        quoted(name)
        bytes.append(UInt8(ascii: ":"))
        if isIndented { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        if counts.removeLast() > 0 { breakLine() }
        bytes.append(UInt8(ascii: bracket))
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: counts.count * 2))
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        opened = (length, 0)
        for byte in text.utf8 { escape(byte) }
        closeString()
    }

    private mutating func literal(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Bytes of a text within a string: all of them, and without the backslashes of escapes.
    static func weight(utf8 text: some Sequence<UInt8>) -> (json: Int64, text: Int64) {
        var (json, escapes): (Int64, Int64) = (0, 0)
        for byte in text {
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                json += 1
                continue
            }
            escapes += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: json += 2
            default: json += 6
            }
        }
        return (json, json - escapes)
    }

    /// Writes one byte of a string (RFC 8259 §7), escaped only where it must be.
    private mutating func escape(_ byte: UInt8) {
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { return bytes.append(byte) }
        opened.escapes += 1
        switch byte {
        case UInt8(ascii: "\""): literal("\\\"")
        case UInt8(ascii: "\\"): literal("\\\\")
        case 0x08: literal("\\b")
        case 0x09: literal("\\t")
        case 0x0A: literal("\\n")
        case 0x0C: literal("\\f")
        case 0x0D: literal("\\r")
        default:
            literal("\\u00")
            bytes.append(Hexadecimal.digits[Int(byte >> 4)])
            bytes.append(Hexadecimal.digits[Int(byte & 0x0F)])
        }
    }
}
