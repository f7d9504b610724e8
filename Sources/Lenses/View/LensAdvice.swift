/// What a reader may change in how the proxy runs, since an exchange went as it did.
package enum LensAdvice: Sendable, Equatable {
    /// To pass through a host of Apple's whose client accepts no certificate of ours.
    case passThrough(host: String)

    /// The advice as sentences that name no command and no option; a program that knows them may word it itself.
    package var sentence: String {
        switch self {
        case .passThrough(let host):
            "It fails for as long as the proxy answers in its place. Pass \(host) through, as Apple's hosts are by default. "
                + "It then works, unread."
        }
    }
}
