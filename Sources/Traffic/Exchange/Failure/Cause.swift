/// What ended an exchange: a short stable word in lower case, its parts joined by hyphens.
///
/// Rows, archives and the API hold the word itself. An archive, or a store that another version wrote, may hold a word that is no member here; such a
/// word is kept and shown as it is.
package struct Cause: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// The word, which may be anything where an archive brought it.
    package var description: String { rawValue }
}

/// What follows from a cause, on whichever side it arose.
extension Cause {
    /// Whether the other end ended its connection, properly or by a reset.
    package var isDeparture: Bool { self == .closed || self == .reset }

    /// Whether a connection ended under a message: its other end left, or the connection itself failed.
    package var isBreak: Bool { isDeparture || self == .broken }

    /// Whether it is about a certificate, and not about the handshake around it.
    ///
    /// Every word that begins with `certificate` counts, so that an unknown one of the kind does too.
    package var isOfCertificate: Bool { rawValue.hasPrefix("certificate") || self == .ownRoot }

    /// Whether the upstream ended a handshake with an alert.
    package var isUpstreamAlert: Bool { rawValue.hasPrefix(Cause.upstreamAlertPrefix) }

    /// Whether it is the alert of a client that refuses our certificate, whatever the reason.
    package var isRefusalOfCertificate: Bool {
        self == .unknownCA || self == .certificateUnknown || self == .badCertificate
    }

    /// Whether a client's handshake may have ended because it does not take our certificate: it says so, or closes without a word.
    package var isDistrust: Bool { isRefusalOfCertificate || self == .closed }
}
