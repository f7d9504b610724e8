import Traffic

extension FilterError {
    /// The sentence for the command line, which names the command that helps where one does.
    var words: String {
        guard let missingSearch else { return description }
        return
            "there is no saved search @\(missingSearch); 'inspect saved' lists them (to search for the text, put it in quotes)"
    }
}
