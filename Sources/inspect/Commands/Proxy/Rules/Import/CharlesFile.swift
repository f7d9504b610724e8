import Foundation
import Traffic

/// The rules of a file that Charles exports: of one of its tools, or of all.
enum CharlesFile {
    private typealias Gap = ImportedRule.Gap

    /// The tools whose rules are read.
    private static let tools: Set = ["map", "mapLocal", "rewrite", "blacklist", "blockList"]

    /// Bytes of the terms for a set's places.
    private static let placesLimitBytes = 10_000

    /// The rules, tool by tool.
    ///
    /// Of several mappings to another place the first works, so that they are last here, and each ends the list. Rewrites of URLs work on what the
    /// ones above left, and are in an order in which ours do so.
    ///
    /// - Throws: `InputError` where they are too many.
    static func rules(_ root: XMLTree, path: String) throws -> [ImportedRule] {
        let (locals, remotes) = (root.all("mapLocalMapping"), root.all("mapMapping"))
        let blockLists = (root.all("blacklist") + root.all("blockList")).map { ($0, $0.all("locationMatch")) }
        let sets = root.all("rewriteSet").map { ($0, $0.child("rules")?.all("rewriteRule") ?? []) }
        let others = root.all {
            !tools.contains($0.name) && ($0.flag("toolEnabled") || $0.name == "breakpoints")
        }
        let blockCount = blockLists.reduce(0) { $0 + $1.1.count }
        let rewriteCount = sets.reduce(0) { $0 + $1.1.count }
        let count = locals.count + remotes.count + blockCount + rewriteCount + others.count
        try ImportedRule.mustBeFew(count, path: path)
        let mappings = ImportedRule.onlyFirst(remotes.map(remote))
        let edits = rewrites(sets, besideMappings: mappings.contains { $0.isSaid })
        return locals.map(local) + blockLists.flatMap(blocks) + edits + mappings + others.map(other)
    }

    /// The rules of all sets in their order; of those that change URLs, each stands where one of them does, in an order of their own.
    ///
    /// Of two of them the one further up works, since what it made is no longer what the other is for. With us the last one stands, so they are in
    /// reverse; but one that is for all of its set's places works on everything that its set made.
    private static func rewrites(_ sets: [(XMLTree, [XMLTree])], besideMappings: Bool) -> [ImportedRule] {
        var above = CharlesRewritesAbove()
        var read: [(rewrite: CharlesRewrite, rule: ImportedRule, isMove: Bool)] = []
        var moves: [[ImportedRule]] = []
        for (set, trees) in sets {
            let places = CharlesLocation.all(of: set.child("hosts")?.all("locationMatch") ?? [])
            var (some, all): ([ImportedRule], [ImportedRule]) = ([], [])
            above.beginSet(of: places)
            for (rewrite, rule) in rewrites(set, places, trees) {
                var rule = rule
                if rule.isSaid { above.add(rewrite, &rule) }
                let move = rule.isSaid ? rewrite.move : nil
                if besideMappings, move != nil {
                    rule.lose("which of it and a map remote for the same URL works first; here the mapping stands")
                }
                read.append((rewrite, rule, move != nil))
                if let move { move.old.isEmpty ? all.append(rule) : some.append(rule) }
            }
            moves.append(some.reversed() + all)
        }
        var left = moves.reversed().flatMap { $0 }[...]
        let count = left.count
        return read.map { rewrite, rule, isMove in
            if isMove, let move = left.popFirst() { return move }
            var rule = rule
            if rule.isSaid, !left.isEmpty, left.count < count, above.minds(rewrite) {
                rule.lose("it stands between rules for URLs, which are in another order here")
            }
            return rule
        }
    }

    /// A tool that is on, and cannot be said.
    private static func other(_ tool: XMLTree) -> ImportedRule {
        ImportedRule("Charles' \(tool.name)") { _ in throw Gap("rules do not do what this tool does") }
    }

    /// `Charles` where an element is switched off there.
    private static func offIn(_ tree: XMLTree, _ name: String) -> String? {
        tree.flag(name, default: true) ? nil : "Charles"
    }

    /// A set of rewrite rules, each for all places of the set.
    private static func rewrites(
        _ set: XMLTree,
        _ places: [CharlesLocation],
        _ rules: [XMLTree]
    ) -> [(CharlesRewrite, ImportedRule)] {
        let (schemes, ports) = (Set(places.map(\.scheme)), Set(places.map(\.port)))
        let term = Result { QueryPattern.any(try places.map { try $0.terms }).joined(separator: " ") }
        let isLong = (try? term.get()).map { $0.utf8.count > placesLimitBytes } ?? false
        // What the set says is looked for once: it may have as many other elements as it has rules.
        let (name, setProgram) = (ImportedRule.short(set.value("name")), offIn(set, "active"))
        return rules.map { tree in
            let rewrite = CharlesRewrite(
                tree: tree,
                scheme: schemes.count == 1 ? schemes.first ?? "" : "",
                port: ports.count == 1 ? ports.first ?? "" : ""
            )
            let program = setProgram ?? offIn(tree, "active")
            let rule = ImportedRule("\(name): \(rewrite.name)", offIn: program) { rule in
                guard !places.isEmpty else { throw Gap("its set is for no place, so it does nothing") }
                guard !isLong else { throw Gap("its set is for more places than a query holds") }
                let term = try term.get()
                rule.places = term.isEmpty ? nil : term
                try rewrite.fill(&rule)
            }
            return (rewrite, rule)
        }
    }

    /// The places that Charles refuses, with a 403 or by ending the connection.
    private static func blocks(_ tool: XMLTree, _ matches: [XMLTree]) -> [ImportedRule] {
        let answer = tool.value("action") == "1" ? "403" : "close"
        let program = offIn(tool, "toolEnabled")
        return matches.map { match in
            let place = CharlesLocation(match.child("location"))
            return ImportedRule("block \(place.text)", offIn: program ?? offIn(match, "enabled")) { rule in
                rule.terms = try place.terms
                rule.add("block", .word(answer))
            }
        }
    }

    private static func local(_ tree: XMLTree) -> ImportedRule {
        let source = CharlesLocation(tree.child("sourceLocation"))
        return ImportedRule("map local \(source.text)", offIn: offIn(tree, "enabled")) { rule in
            let path = tree.value("dest")
            guard path.hasPrefix("/") else { throw Gap("'\(path)' is no path of this system") }
            rule.terms = try source.terms
            var isDirectory: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            guard isThere ? isDirectory.boolValue : !CharlesLocation.isPlain(source.path) else {
                rule.lose("a file that is missing is asked of the server; here it makes a 502")
                return rule.add("respond", ["file": .text(path)])
            }
            guard let folder = source.folder else {
                throw Gap("which part of the path \(source.path) stands for the directory \(path)")
            }
            if !tree.flag("caseSensitive", default: true) { rule.lose("names of files ignore case") }
            rule.add("respond", ["dir": .text(path), "strip": .text(folder), "missing": "upstream"])
        }
    }

    private static func remote(_ tree: XMLTree) -> ImportedRule {
        let source = CharlesLocation(tree.child("sourceLocation"))
        let target = CharlesLocation(tree.child("destLocation"))
        return ImportedRule("map remote \(source.text)", offIn: offIn(tree, "enabled")) { rule in
            rule.terms = try source.terms
            if !target.query.isEmpty { rule.lose("the query \(target.query)") }
            let (prefix, path) = try path(from: source, to: target.writtenPath)
            if !(target.scheme + target.host + target.port).isEmpty || !prefix.isEmpty {
                let origin = try origin(from: source, to: target, &rule)
                let keepsHost: RuleValue? = tree.flag("preserveHostHeader") ? "true" : nil
                rule.add("send", ["to": .text(origin + prefix), "keep-host": keepsHost])
            } else if path == nil {
                throw Gap("it sends requests where they go without it")
            }
            if let path { rule.add("request", ["path": .plain(path)]) }
        }
    }

    /// What a mapping makes of paths.
    ///
    /// - Parameters:
    ///   - source: the place that it is for.
    ///   - written: the path of the other place; empty where paths stay. With `/` or `/*` at its end it is a directory.
    /// - Returns: the directory in front of every path, empty for none; and the one path of all requests, `nil` where it stays.
    /// - Throws: `Gap` for any other change.
    private static func path(from source: CharlesLocation, to written: String) throws -> (String, String?) {
        if written.isEmpty || written == source.path { return ("", nil) }
        let gap = Gap("a path \(written) in the place of \(source.path.isEmpty ? "any" : source.path)")
        if let folder = source.folder {
            let base = written.hasSuffix("*") ? String(written.dropLast()) : written
            guard base.hasSuffix("/"), CharlesLocation.isPlain(base), folder == base || folder == "/" else { throw gap }
            return (folder == base ? "" : base, nil)
        }
        guard CharlesLocation.isPlain(source.path), CharlesLocation.isPlain(written) else { throw gap }
        return ("", written)
    }

    /// The scheme, host and port of another place.
    private static func origin(
        from source: CharlesLocation,
        to target: CharlesLocation,
        _ rule: inout ImportedRule
    ) throws -> String {
        let host = target.host.isEmpty ? source.host : target.host
        guard CharlesLocation.isPlain(host) else { throw Gap("a place without one host, \(target.text)") }
        var scheme = target.scheme.isEmpty ? source.scheme : target.scheme
        if scheme.isEmpty {
            scheme = target.port == "80" ? "http" : "https"
            rule.lose("the scheme of the request stays; here it becomes \(scheme)")
        }
        var port = target.port.isEmpty && target.host.isEmpty ? source.port : target.port
        // Charles fills the usual port in where a URL is pasted; it is none of the other scheme.
        let isUsual = source.scheme != scheme && ["http": "443", "https": "80"][scheme] == port
        if target.port.isEmpty, isUsual {
            port = ""
        } else if port.isEmpty, target.host.isEmpty {
            rule.lose("the port of the request stays; here it becomes the usual one")
        }
        return "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(port.isEmpty ? "" : ":\(port)")"
    }
}
