import Foundation

/// Encodes bytes as base64 piece by piece (RFC 4648 §4), with padding at the end.
package struct Base64Encoder: Sendable {
    /// Bytes that do not fill a group of three yet; at most 2.
    private var rest = Data()

    package init() {}

    /// Appends the digits of the next bytes.
    package mutating func encode(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) {
        rest.append(contentsOf: bytes)
        let whole = rest.count - rest.count % 3
        text.append(contentsOf: rest.prefix(whole).base64EncodedData())
        rest = Data(rest.dropFirst(whole))
    }

    /// Appends the last group with its padding.
    package mutating func finish(into text: inout [UInt8]) {
        text.append(contentsOf: rest.base64EncodedData())
        rest.removeAll()
    }

    /// Encodes bytes whole.
    package static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
