/// When colours are written: what `--color` takes.
enum ColourChoice: String, CaseIterable {
    /// As FORCE_COLOR or NO_COLOR says, else on a terminal alone.
    case auto
    case always, never

    /// Decides whether colours are written.
    ///
    /// FORCE_COLOR is stronger than NO_COLOR, as in the program that its page shows (force-color.org); an empty variable says nothing (no-color.org).
    ///
    /// - Parameters:
    ///   - isTerminal: whether a person reads along.
    ///   - environment: the process's variables.
    /// - Returns: whether to write them.
    func isColoured(isTerminal: Bool, environment: [String: String]) -> Bool {
        func says(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        return switch self {
        case .always: true
        case .never: false
        case .auto:
            says("FORCE_COLOR") || !says("NO_COLOR") && isTerminal && environment["TERM"] != "dumb"
        }
    }
}
