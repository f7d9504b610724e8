extension HouseRules {
    /// What selects exchanges is read in one place, so that the same words mean the same in every command.
    ///
    /// `inspect doctor` asks for what it has recorded itself, and nobody writes that.
    static func ownSelectors(_ file: SourceFile) -> [Violation] {
        guard file.path.hasPrefix("Sources/inspect/"), file.name != "Selector", !file.path.contains("/Proxy/Doctor/")
        else { return [] }
        return file.violations(
            of: /\bFilterParser\b|\bSavedSearch\.expanded\b|\bExchangeID\s*\(/,
            in: "FilterParser",
            "SavedSearch.expanded",
            "ExchangeID",
            because: "reads a query or a number beside Selector"
        )
    }

    /// A command line is parsed once: what is done without one takes values, not words.
    ///
    /// The configuration is parsed as a command line, since it stands for one.
    static func reparsed(_ file: SourceFile) -> [Violation] {
        guard file.path.hasPrefix("Sources/inspect/"), !file.path.hasPrefix("Sources/inspect/Configuration/") else {
            return []
        }
        return file.violations(
            of: /\b\w*(?:Command|Options|Flags?)\.parse(?:AsRoot)?\s*\(|\.parse\s*\(\s*\[/,
            in: ".parse",
            because: "parses words that no user wrote; make the value itself"
        )
    }

    /// What a channel does is decided below the commands.
    static func channelHandlers(_ file: SourceFile) -> [Violation] {
        guard file.target == "inspect" else { return [] }
        return file.violations(
            of: /\b(?:Removable)?Channel(?:Inbound|Outbound|Duplex)?Handler\b/,
            in: "Channel",
            because: "has no place in a command; read and write a NIOAsyncChannel, or put it into Proxy"
        )
    }
}
