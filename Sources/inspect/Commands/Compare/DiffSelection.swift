import ArgumentParser
import Traffic

/// What `inspect diff` was asked to compare, before a store is looked at.
enum DiffSelection: Equatable {
    case pair(ExchangeID, ExchangeID)
    /// Two queries of the store; an empty one is all of it.
    case queries(left: String, right: String)
    /// A query of the store, and one of an archive.
    case archive(left: String, file: String, right: String)
    case archives(String, String, left: String, right: String)

    /// Reads the arguments.
    ///
    /// - Throws: `ValidationError` saying what was expected.
    init(terms: [String], left: String?, right: String?, sessions: [String], archives: [String]) throws {
        let query = QueryArguments.query(terms)
        if !sessions.isEmpty {
            guard sessions.count == 2, terms.isEmpty, archives.isEmpty, left == nil, right == nil else {
                throw ValidationError(
                    "--session takes the names of two sessions, and nothing else says what is compared"
                )
            }
            let names = try sessions.map(DiffSelection.session)
            self = .queries(left: names[0], right: names[1])
            return
        }
        switch archives.count {
        case 0: break
        case 1:
            guard left == nil || terms.isEmpty else { throw ValidationError("give the left query once") }
            self = .archive(left: left ?? query, file: archives[0], right: right ?? left ?? query)
            return
        case 2:
            guard terms.isEmpty else { throw ValidationError("with two archives, give --left and --right") }
            self = .archives(archives[0], archives[1], left: left ?? "", right: right ?? "")
            return
        default: throw ValidationError("--har names one archive, or two")
        }
        if left != nil || right != nil {
            guard let left, let right, terms.isEmpty else {
                throw ValidationError("--left and --right go together, without anything else")
            }
            self = .queries(left: left, right: right)
            return
        }
        guard terms.count == 2, let one = ExchangeID(terms[0]), let other = ExchangeID(terms[1]), one > 0, other > 0
        else {
            throw ValidationError("name two exchanges by number, or two sets: --left and --right, --session, --har")
        }
        self = .pair(one, other)
    }

    private static func session(_ name: String) throws -> String {
        guard !name.contains("\""), !name.isEmpty else { throw ValidationError("a session's name has no quotes") }
        return "session:\"\(name)\""
    }
}
