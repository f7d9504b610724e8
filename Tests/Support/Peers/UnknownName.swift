/// A host that exists nowhere, and about which no name server is asked.
package enum UnknownName {
    /// Has a label of 64 bytes, and one may have 63 (RFC 1035 §2.3.4): every resolver refuses it itself, whatever network the machine is in.
    package static let host = String(repeating: "n", count: 64) + ".invalid"
}
