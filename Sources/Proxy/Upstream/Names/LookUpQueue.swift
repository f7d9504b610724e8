import DequeModule

/// The names that are to be looked up, in the order they were asked for, and how many of whom are being looked up.
///
/// A client of another machine has a share of both, and so has a domain: whoever asks for many slow names, or answers slowly for many, keeps no other
/// from theirs. Of a domain's share each such client has a share again, since everybody's names may be in one: all that end in `co.uk`.
struct LookUpQueue {
    /// Look-ups at once.
    static let runningLimitCount = 64
    /// Names that wait for one of these.
    static let waitingLimitCount = 1_024
    /// Of each, what one client or one domain may have.
    static let shareCount = (running: runningLimitCount / 4, waiting: waitingLimitCount / 4)
    /// Of these, what one client may have of one domain.
    static let partCount = (running: shareCount.running / 4, waiting: shareCount.waiting / 4)

    /// Whom a share is for.
    private enum Owner: Hashable {
        /// The network of a client of another machine.
        case client([UInt8])
        /// The last two labels of a name: whoever has it can add as many labels before them as there may be.
        case domain(String)
        /// The same names, as far as one client asks for them.
        case part(client: [UInt8], domain: String)

        /// What it may have.
        var limit: (running: Int, waiting: Int) {
            switch self {
            case .client, .domain: LookUpQueue.shareCount
            case .part: LookUpQueue.partCount
            }
        }
    }

    /// What an owner has under way.
    private struct Load {
        var running = 0
        var waiting = 0
    }

    private var waiting: Deque<String> = []
    private(set) var runningCount = 0
    private var owners: [String: [Owner]] = [:]
    private var loads: [Owner: Load] = [:]

    /// Takes a name that is not here yet; false where there is no room for it.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - client: the network of a client of another machine; `nil` for one of this, where many programs have the same.
    /// - Returns: whether it was taken.
    mutating func add(_ name: String, for client: [UInt8]?) -> Bool {
        let whose = Self.owners(of: name, client)
        guard waiting.count < Self.waitingLimitCount, whose.allSatisfy({ hasRoom($0) }) else { return false }
        waiting.append(name)
        queue(name, whose)
        return true
    }

    /// Another client asks for a name that is here, and does not wait for the share of whoever asked first, where it could have asked first itself;
    /// says whether this has changed anything.
    mutating func asked(_ name: String, by client: [UInt8]?) -> Bool {
        let (before, whose) = (owners[name] ?? [], Self.owners(of: name, client))
        guard whose != before, !hasTurn(before), hasTurn(whose), waiting.contains(name) else { return false }
        // The name counts already for whoever has it now.
        guard whose.allSatisfy({ before.contains($0) || hasRoom($0) }) else { return false }
        leave(name)
        queue(name, whose)
        return true
    }

    /// Whether a name could be looked up now.
    var hasNext: Bool { position != nil }

    /// Whether this one could.
    func hasTurn(_ name: String) -> Bool { runningCount < Self.runningLimitCount && hasTurn(owners[name] ?? []) }

    /// The first name that may be looked up now, which is not waiting any more; `nil` where there is none.
    mutating func next() -> String? {
        guard let position else { return nil }
        let name = waiting.remove(at: position)
        runningCount += 1
        for owner in owners[name] ?? [] {
            loads[owner]?.waiting -= 1
            loads[owner]?.running += 1
        }
        return name
    }

    /// A look-up is over.
    mutating func ended(_ name: String) {
        runningCount -= 1
        for owner in owners.removeValue(forKey: name) ?? [] {
            loads[owner]?.running -= 1
            forget(owner)
        }
    }

    /// Takes a name back that is not being looked up; false where it is, or is not here.
    @discardableResult
    mutating func remove(_ name: String) -> Bool {
        guard let position = waiting.firstIndex(of: name) else { return false }
        waiting.remove(at: position)
        leave(name)
        return true
    }

    /// Takes back all that is not being looked up.
    mutating func removeAll() {
        for name in waiting { leave(name) }
        waiting = []
    }

    private var position: Int? {
        guard runningCount < Self.runningLimitCount else { return nil }
        return waiting.firstIndex { hasTurn(owners[$0] ?? []) }
    }

    private func hasTurn(_ whose: [Owner]) -> Bool {
        whose.allSatisfy { load($0).running < $0.limit.running }
    }

    private func hasRoom(_ owner: Owner) -> Bool { load(owner).waiting < owner.limit.waiting }

    private func load(_ owner: Owner) -> Load { loads[owner] ?? Load() }

    private mutating func queue(_ name: String, _ whose: [Owner]) {
        owners[name] = whose
        for owner in whose { loads[owner, default: Load()].waiting += 1 }
    }

    private mutating func leave(_ name: String) {
        for owner in owners.removeValue(forKey: name) ?? [] {
            loads[owner]?.waiting -= 1
            forget(owner)
        }
    }

    private mutating func forget(_ owner: Owner) {
        let load = load(owner)
        if load.running + load.waiting == 0 { loads[owner] = nil }
    }

    private static func owners(of name: String, _ client: [UInt8]?) -> [Owner] {
        let domain = name.split(separator: ".").suffix(2).joined(separator: ".")
        guard let client else { return [.domain(domain)] }
        return [.client(client), .domain(domain), .part(client: client, domain: domain)]
    }
}
