import Testing

/// Why an exchange failed is a word in stores, archives and answers, and a member of `Cause` in the code.
@Suite(.timeLimit(.minutes(15))) struct CauseWordTests {
    /// The words that stores and archives of earlier versions hold.
    private static let written = Set(
        """
        access-denied alert-bad-certificate alert-certificate-required alert-certificate-unknown
        alert-handshake-failure alert-insufficient-security alert-no-application-protocol alert-protocol-version
        alert-unknown-ca ambiguous-framing ambiguous-host bad-certificate bad-certificate-status-response
        bad-chunk bad-record-mac broken certificate-expired certificate-invalid certificate-must-staple
        certificate-name certificate-not-yet-valid certificate-required certificate-revoked
        certificate-self-signed certificate-unknown certificate-unknown-issuer certificate-weak close-notify
        closed connect crash decode-error decrypt-error dns expectation extra-bytes goaway handshake
        handshake-failure host http2 illegal-parameter inappropriate-fallback insufficient-security interim-flood
        internal-error left loop malformed method missing-extension no-application-protocol no-close-frame
        no-common-protocol no-descriptors no-extended-connect no-shared-cipher not-allowed offline other own-root
        pinned protocol protocol-version proxy-authentication proxy-refused record-overflow recorded refused
        reset scheme shutdown socks-address socks-command socks-login socks-method socks-version timeout too-long
        truncated unanswered unexpected-message unfinished unknown-ca unknown-name unreachable unrecognized-name
        unrecorded unsupported-certificate unsupported-extension user-canceled version
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )

    private static func causes() throws -> [(member: String, word: String)] {
        let files = try Checkout.swiftFiles(under: "Sources/Traffic/Exchange/Failure")
        let causes = HouseRules.causes(in: files)
        // None is declared in another way, which would not be looked at.
        let declared = files.filter { $0.name.hasPrefix("Cause+") }.flatMap {
            $0.code.containing(["package static let"])
        }
        #expect(causes.count == declared.count && !causes.isEmpty)
        return causes
    }

    @Test("Each cause has a word of its own, in lower case and joined by hyphens")
    func words() throws {
        let causes = try Self.causes()
        #expect(Dictionary(grouping: causes) { $0.word }.filter { $0.value.count > 1 }.keys.sorted() == [])
        for cause in causes {
            #expect(cause.word.wholeMatch(of: /[a-z][a-z0-9]*(?:-[a-z0-9]+)*/) != nil, "\(cause.member)")
        }
    }

    @Test("No word that was ever written has been changed")
    func written() throws {
        #expect(Self.written.subtracting(try Self.causes().map(\.word)).sorted() == [])
    }

    @Test("The page marks certificates by words that are causes")
    func page() throws {
        let script = try Checkout.text(at: "Sources/Web/Assets/detail/connection.js")
        let words = Set(script.matches(of: /"((?:certificate|own)-[a-z-]+)"/).map { String($0.output.1) })
        #expect(words.contains("certificate-expired"))
        #expect(words.subtracting(try Self.causes().map(\.word)).sorted() == [])
    }

    @Test("No cause is told apart by its word outside the files of Cause")
    func sources() throws {
        let files = try Checkout.swiftFiles(under: "Sources")
        #expect(!files.isEmpty)
        #expect(files.flatMap(HouseRules.causeWords) == [])
    }

    @Test("A cause that is told apart by its word is found")
    func offending() {
        let text = """
            fail(side: .client, cause: "reset", message: text)
            if failure.cause == "reset" || failure.cause != "closed" { return }
            let cause = Cause(rawValue: "reset")
            if failure.cause.rawValue == word { return }
            let isAlert = failure?.cause.rawValue.hasPrefix(prefix)
            switch failure.cause.rawValue {
            let isOther = word != failure.cause.description
            let other = Failure(cause: .init(rawValue: "other"))
            fail(cause: .reset); let isReset = failure?.cause == .reset
            let read = Cause(rawValue: row.text() ?? "")
            json.string("cause", failure.cause.rawValue)  // cause: "reset"
            let isPause = gap.cause == CaptureGap.pauseCause
            """
        let found = HouseRules.causeWords(SourceFile(path: "Sources/Proxy/Thing.swift", text: text))
        #expect(Set(found.map(\.line)).sorted() == Array(1...8), "\(found)")
        #expect(HouseRules.causeWords(SourceFile(path: "Sources/Traffic/Cause+Thing.swift", text: text)) == [])
    }
}
