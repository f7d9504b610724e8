import DequeModule

/// The names that wait to be looked up, in the order of the requests, and the number of look-ups under way for each client and domain.
///
/// Each client of another machine has a share of both, and so has each domain, so that a client that asks for many slow names, or a domain that
/// answers slowly, delays no others. Within a domain's share each such client has a share again, since a domain such as `co.uk` is everybody's.
struct LookUpQueue {
    /// Look-ups at the same time.
    static let runningLimitCount = 64
    /// Names that may wait for a look-up.
    static let waitingLimitCount = 1_024
    /// Of each, what one client or one domain may have.
    static let shareCount = (running: runningLimitCount / 4, waiting: waitingLimitCount / 4)
    /// Of these, what one client may have of one domain.
    static let partCount = (running: shareCount.running / 4, waiting: shareCount.waiting / 4)

    /// The owner of a share.
    private enum Owner: Hashable {
        /// The network of a client of another machine.
        case client([UInt8])
        /// The last two labels of a name: their owner can add any number of labels before them.
        case domain(String)
        /// The names of a domain, as far as one client asks for them.
        case part(client: [UInt8], domain: String)

        /// What it may have.
        var limit: (running: Int, waiting: Int) {
            switch self {
            case .client, .domain: LookUpQueue.shareCount
            case .part: LookUpQueue.partCount
            }
        }
    }

    /// The look-ups and waiting names of an owner.
    private struct Load {
        var running = 0
        var waiting = 0
    }

    private var waiting: Deque<String> = []
    private(set) var runningCount = 0
    private var owners: [String: [Owner]] = [:]
    private var loads: [Owner: Load] = [:]

    /// Takes a name that is not in the queue yet, where there is room.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - client: the network of a client of another machine; `nil` for a client of this machine, whose programs all have the same address.
    /// - Returns: whether there was room.
    mutating func add(_ name: String, for client: [UInt8]?) -> Bool {
        let whose = Self.owners(of: name, client)
        guard waiting.count < Self.waitingLimitCount, whose.allSatisfy({ hasRoom($0) }) else { return false }
        waiting.append(name)
        queue(name, whose)
        return true
    }

    /// Moves a waiting name to the share of another client that asks for it, where it could be looked up at once; returns whether it moved.
    mutating func asked(_ name: String, by client: [UInt8]?) -> Bool {
        let (before, whose) = (owners[name] ?? [], Self.owners(of: name, client))
        guard whose != before, !hasTurn(before), hasTurn(whose), waiting.contains(name) else { return false }
        // The name already counts towards its present owner.
        guard whose.allSatisfy({ before.contains($0) || hasRoom($0) }) else { return false }
        leave(name)
        queue(name, whose)
        return true
    }

    /// Whether a name could be looked up now.
    var hasNext: Bool { position != nil }

    /// Whether this name could be looked up now.
    func hasTurn(_ name: String) -> Bool { runningCount < Self.runningLimitCount && hasTurn(owners[name] ?? []) }

    /// Takes the first name that may be looked up now; `nil` where there is none.
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

    /// Notes that a look-up is over.
    mutating func ended(_ name: String) {
        runningCount -= 1
        for owner in owners.removeValue(forKey: name) ?? [] {
            loads[owner]?.running -= 1
            forget(owner)
        }
    }

    /// Removes a waiting name; returns false where it is being looked up, or is not in the queue.
    @discardableResult
    mutating func remove(_ name: String) -> Bool {
        guard let position = waiting.firstIndex(of: name) else { return false }
        waiting.remove(at: position)
        leave(name)
        return true
    }

    /// Removes all waiting names.
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
