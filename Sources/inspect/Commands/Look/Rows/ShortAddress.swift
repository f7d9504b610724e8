import Traffic

/// The address of an exchange as a terminal shows it: the path before the host, since rows of one listing mostly differ in the path.
enum ShortAddress {
    /// Cells that a host needs beside a path to say anything.
    private static let leastHost = 8

    /// The path, what there is to note, then the host; a long path leaves the rest a third of the room.
    ///
    /// - Parameters:
    ///   - row: the exchange.
    ///   - notes: texts that are safe to print.
    ///   - room: the cells that it may take.
    /// - Returns: the text, cut to the room.
    static func text(_ row: ExchangeSummary, notes: [String] = [], in room: Int) -> String {
        guard let origin = row.origin else {
            return TextColumns.cut(([VisibleText.line(row.title)] + notes).joined(separator: "  "), to: room)
        }
        let path = VisibleText.line(row.target)
        // HTTPS at its own port goes without saying.
        let host = origin.hasPrefix("https://") ? String(origin.dropFirst("https://".count)) : origin
        let rest = (notes + [VisibleText.line(host)]).joined(separator: "  ")
        let third = room / 3 < leastHost ? 0 : room / 3 + 2
        let shown = TextColumns.cut(path, to: max(room - TerminalCells.width(rest) - 2, room - third))
        return TextColumns.cut(shown + "  " + rest, to: room)
    }

    /// The method and the address behind the beginning of a line: the whole URL in a pipe, else as much as the terminal has room for.
    static func line(_ row: ExchangeSummary, after head: String, in layout: Layout) -> String {
        guard let width = layout.width else { return head + VisibleText.line("\(row.method) \(row.url)") }
        let head = head + VisibleText.line(row.method) + " "
        return TextColumns.cut(head + text(row, in: max(0, width - TerminalCells.width(head))), to: width)
    }
}
