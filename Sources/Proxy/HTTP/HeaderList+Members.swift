import Traffic

extension HeaderList {
    /// The members of the list that a field line's value is (RFC 9110 §5.6.1): ASCII letters in lower case, without white space round
    /// them, empty ones left out.
    func members(at position: Int) -> [String] {
        ASCII.lower(text(spans[position].value)).utf8.split(separator: ASCII.comma).compactMap { member in
            let start = member.drop(while: ASCII.isBlank)
            let end = start.lastIndex { !ASCII.isBlank($0) }
            return end.map { String(Substring(start[...$0])) }
        }
    }
}
