extension TLSRemedy {
    /// What can be done about a failed handshake; whoever shows a remedy has the words for it.
    package enum Step: Hashable, Sendable {
        /// The host's TLS is passed through unread.
        case passThrough(host: String)
        /// The program is started so that it trusts our root; `nil` where nobody knows which, and with the URL that it is to ask for where it takes
        /// one.
        case run(program: String?, url: String?)
        /// A browser of this kind is started so that it trusts our root: Chromium or Firefox.
        case browse(ClientRuntime)
        /// The system is made to trust our root.
        case installRoot
        /// The steps for devices are looked up.
        case readGuide
        /// This machine is checked, its clock above all.
        case checkMachine
        /// The proxy offers clients HTTP/2 whatever their upstream speaks.
        case translateProtocols
        /// The upstream's certificates and checks are looked at.
        case lookAt(host: String, port: Int)
        /// The proxy accepts any certificate of an upstream.
        case acceptAnyUpstream
        /// The proxy trusts a root that signed the upstream's certificate.
        case trustUpstreamRoot
        /// The proxy shows the host a certificate of the client.
        case showCertificate(host: String)
    }

    /// Puts a step as a line for a shell.
    package typealias Words = @Sendable (Step) -> String
}
