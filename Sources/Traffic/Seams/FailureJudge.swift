/// Says of an exchange whose answer says success whether it is a failure all the same: by the word of the lens that reads it.
package protocol FailureJudge: Sendable {
    /// Whether an exchange failed inside; `nil` where a body was kept or read only in part, so that nobody can say.
    ///
    /// Only an exchange that `ExchangeSummary.mayFailInside` is put to it.
    func failsInside(_ capture: Capture) -> Bool?
}

extension ExchangeSummary {
    /// Whether its answer says success, is whole, and has a lens, which alone can say that it is a failure.
    ///
    /// Earlier versions recorded no lens, so an answer of a type that such a lens reads may have one.
    package var mayFailInside: Bool {
        outcome == .completed && code.map((200..<300).contains) == true
            && (lens != nil || mediaType.map(ExchangeSummary.mayTellFailure) == true)
    }

    /// Whether answers of a media type may say that they are failures.
    package static func mayTellFailure(_ mediaType: String) -> Bool {
        let type = ASCII.lower(mediaType)
        return type.contains("json") || type.contains("grpc")
    }
}
