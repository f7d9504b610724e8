/// A line of a shell as an example has it, as far as its words go.
enum ShellLine {
    /// The words of the line's first command, without quotes; what follows a comment, a pipe, a redirection or `&&` is left out.
    static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if "|>&".contains(character) || character == "#" && word == nil {
                break
            } else if character == " " {
                words += word.map { [$0] } ?? []
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
