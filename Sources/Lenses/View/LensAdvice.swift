/// A change to the way the proxy runs that would let an exchange succeed.
package enum LensAdvice: Sendable, Equatable {
    /// Pass through this host of Apple's, whose client accepts no certificate of ours.
    case passThrough(host: String)

    /// The advice as sentences that name no command and no option; a program that has some may use its own words.
    package var sentence: String {
        switch self {
        case .passThrough(let host):
            "It fails for as long as the proxy answers in its place. Pass \(host) through, as Apple's hosts are by default. "
                + "It then works, unread."
        }
    }
}
