import Traffic

extension ReplayError {
    /// The sentence for an agent, with the argument of the tool that helps where one does.
    var toolWords: String {
        switch wayOut {
        case .authorization: "\(description); give \"Authorization: …\" in 'headers'"
        case .path: "\(description); leave 'to' out, which sends it to its own origin"
        case .body: "\(description); give another 'body', or leave 'to' out, which sends it to its own origin"
        case nil: description
        }
    }
}
