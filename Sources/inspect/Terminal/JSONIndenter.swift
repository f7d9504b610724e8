/// Sets JSON text out over lines without reading its values: numbers, escapes and key order stay exactly as they came.
enum JSONIndenter {
    /// Deeper nesting than this is not set out, so that hostile bodies cost no more than their length.
    private static let depthLimit = 256

    /// The text with one member a line; `nil` when the brackets do not match or something stands outside strings that is no JSON.
    static func indented(_ text: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + text.count / 2)
        var open: [UInt8] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""):
                guard let end = stringEnd(text, index) else { return nil }
                result += text[index..<end]
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                result.append(byte)
                let closing = byte == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]")
                let next = text[(index + 1)...].firstIndex { !isSpace($0) }
                if let next, text[next] == closing {
                    result.append(closing)
                    index = next
                } else {
                    guard open.count < depthLimit else { return nil }
                    open.append(closing)
                    breakLine(&result, open.count)
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open.popLast() == byte else { return nil }
                breakLine(&result, open.count)
                result.append(byte)
            case UInt8(ascii: ","):
                guard !open.isEmpty else { return nil }
                result.append(byte)
                breakLine(&result, open.count)
            case UInt8(ascii: ":"):
                result += [byte, UInt8(ascii: " ")]
            case _ where isSpace(byte):
                if open.isEmpty, !result.isEmpty, result.last != UInt8(ascii: "\n") {
                    result.append(UInt8(ascii: "\n"))
                }
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                result.append(byte)
            default: return nil
            }
            index += 1
        }
        return open.isEmpty ? result : nil
    }

    private static func stringEnd(_ text: [UInt8], _ start: Int) -> Int? {
        var index = start + 1
        while index < text.count {
            if text[index] == UInt8(ascii: "\\") {
                index += 2
            } else if text[index] == UInt8(ascii: "\"") {
                return index + 1
            } else {
                index += 1
            }
        }
        return nil
    }

    private static func breakLine(_ text: inout [UInt8], _ depth: Int) {
        text.append(UInt8(ascii: "\n"))
        text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
