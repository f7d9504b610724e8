/// What Charles' rewrites further up make of a request, on which the ones below work there; ours look at the request's own URL.
struct CharlesRewritesAbove {
    private static let dead =
        "where a rule above changes the same URL it does nothing there; here a part of what it does stays"
    private static let upperSet =
        "where a set above changes the same part of a URL this one stands; here the set above does"

    /// What takes the place of URLs, hosts and paths.
    private var made = MadeURLs()
    /// What the rules are for that leave a part of a URL as it is.
    private var parts = MadeURLs()
    /// What those are for that change paths alone.
    private var paths = MadeURLs()
    /// What those are for that put other folders before paths.
    private var folders = MadeURLs()
    /// Whether a rule changes whole URLs, and whether one changes hosts.
    private var (hasWhole, hasHost) = (false, false)
    /// The hosts of the sets with a rule for URLs, those of the set that is read once it has one.
    private var hosts: Set<String> = []
    private var ownHosts: Set<String> = []
    /// Whether one of these stands for several.
    private var isAnyHost = false
    /// Whether a set above may be for a place of the set that is read.
    private var isShared = false

    /// Begins a set, whose rules follow.
    mutating func beginSet(of places: [CharlesLocation]) {
        ownHosts = Set(places.map(\.host))
        let isAny = isAnyHost || !ownHosts.allSatisfy(CharlesLocation.isPlain)
        isShared = isAny ? !hosts.isEmpty : !hosts.isDisjoint(with: ownHosts)
    }

    /// Adds a rule that stands below those before, and says of it what it does not do as it does there.
    mutating func add(_ rewrite: CharlesRewrite, _ rule: inout ImportedRule) {
        guard let (old, new) = rewrite.move else {
            guard rewrite.isOfQuery else { return }
            if hasWhole, rewrite.asksOfQuery { rule.lose(ImportedRule.ownURL) }
            // It makes every whole URL another one.
            return parts.add("")
        }
        let (isWhole, isPath) = (rewrite.isOfWholeURL, rewrite.isOfPath)
        let isFolder = !isWhole && !isPath && MadeURLs.path(old) != MadeURLs.path(new)
        if old.isEmpty {
            if isShared { rule.lose(CharlesRewritesAbove.upperSet) }
        } else {
            if made.mayMatch(old) { rule.lose(ImportedRule.ownURL) }
            // A host is all that its rule changes and looks at.
            let others = isWhole ? parts : isPath ? folders : rewrite.isOfHost ? MadeURLs() : paths
            if others.mayMatch(old) { rule.lose(CharlesRewritesAbove.dead) }
        }
        made.add(new)
        if !isWhole { parts.add(old) }
        if isPath { paths.add(old) }
        if isFolder { folders.add(MadeURLs.path(old).isEmpty ? "/" : old) }
        (hasWhole, hasHost) = (hasWhole || isWhole, hasHost || !isPath)
        isAnyHost = isAnyHost || !ownHosts.allSatisfy(CharlesLocation.isPlain)
        hosts.formUnion(ownHosts)
        ownHosts = []
    }

    /// Whether it matters to a rule for something else on which side of the rules for URLs it stands.
    func minds(_ rewrite: CharlesRewrite) -> Bool {
        rewrite.isOfQuery && hasWhole || rewrite.isOfHostField && hasHost
    }
}
