import Traffic

extension ReplayError {
    /// The sentence for the command line, with the option that helps where one does.
    var words: String {
        switch wayOut {
        case .authorization: "\(description); give --header 'Authorization: …'"
        case .path: "\(description); give --send-credentials, or another path"
        case .body: "\(description); give --send-credentials, or another --body"
        case nil: description
        }
    }
}
