/// The alterations of answers by changes: statuses that replace answers, members that go or get another value.
struct Alterations: Sendable, Equatable {
    /// A member that goes (no value) or gets a value, in answers below a path.
    struct Member: Sendable, Equatable {
        let name: String
        let value: JSON?
        let path: String
    }

    /// A status that everything below a path is answered with.
    struct Status: Sendable, Equatable {
        let code: Int
        let path: String
    }

    /// Alterations beyond this many replace the oldest, so that a client in a loop cannot fill the memory.
    static let limitCount = 200

    private(set) var members: [Member] = []
    private(set) var statuses: [Status] = []

    /// Adds a member's change; a later one of the same name and path replaces an earlier one.
    mutating func add(_ member: Member) {
        members.removeAll { $0.name == member.name && $0.path == member.path }
        members = (members + [member]).suffix(Self.limitCount)
    }

    /// Sets the status of a path; nil lets it answer again.
    mutating func set(_ code: Int?, path: String) {
        statuses.removeAll { $0.path == path }
        if let code { statuses = (statuses + [Status(code: code, path: path)]).suffix(Self.limitCount) }
    }

    /// The status that a path's answers are replaced by; the longest path named wins.
    func status(of path: String) -> Int? {
        statuses.filter { path.hasPrefix($0.path) }.max { $0.path.count < $1.path.count }?.code
    }

    /// An answer's JSON with its members changed; anything else stays as it is.
    func applied(to answer: Answer, path: String) -> Answer {
        let own = members.filter { path.hasPrefix($0.path) }
        guard !own.isEmpty, answer.status == 200, let value = answer.value else { return answer }
        return answer.replacing(value.altered(by: own))
    }
}

extension JSON {
    /// The value with members of some names gone or given another value, at every depth.
    fileprivate func altered(by changes: [Alterations.Member]) -> JSON {
        switch self {
        case .array(let elements): .array(elements.map { $0.altered(by: changes) })
        case .object(let members):
            .object(
                members.compactMap { member in
                    guard let change = changes.first(where: { $0.name == member.name }) else {
                        return Member(name: member.name, value: member.value.altered(by: changes))
                    }
                    return change.value.map { Member(name: member.name, value: $0) }
                }
            )
        default: self
        }
    }
}
