import ArgumentParser
import Traffic

/// What `inspect diff` was asked to compare, before any store is opened.
enum DiffSelection {
    case pair(ExchangeID, ExchangeID)
    /// Two sets of the store; an empty selector selects every exchange.
    case sets(left: Selector, right: Selector)
    /// A set of the store, and one of an archive; `nil` for what the left selector selects there.
    case archive(left: Selector, file: String, right: Selector?)
    case archives(String, String, left: Selector, right: Selector)

    /// Reads the arguments.
    ///
    /// - Throws: `ValidationError` saying what was expected.
    init(
        terms: [String],
        left: String?,
        right: String?,
        sessions: [String],
        archives: [String],
        flags: FlaggedFilter
    ) throws {
        let given = try Selector(terms, flags: flags)
        let leftSet = try left.map { try Selector([$0], flags: flags) }
        let rightSet = try right.map { try Selector([$0], flags: flags) }
        if !sessions.isEmpty {
            guard sessions.count == 2, terms.isEmpty, archives.isEmpty, left == nil, right == nil else {
                throw ValidationError(
                    "--session takes the names of two sessions, and nothing else says what is compared"
                )
            }
            let names = try sessions.map { try DiffSelection.session($0, flags) }
            self = .sets(left: names[0], right: names[1])
            return
        }
        switch archives.count {
        case 0: break
        case 1:
            guard left == nil || terms.isEmpty else { throw ValidationError("say once what is on the left") }
            let leftSide = leftSet ?? given
            if rightSet == nil, case .numbers = leftSide.text {
                throw ValidationError(DiffSelection.numbersOfStore(beside: archives[0]))
            }
            self = .archive(left: leftSide, file: archives[0], right: rightSet)
            return
        case 2:
            guard terms.isEmpty else { throw ValidationError("with two archives, give --left and --right") }
            self = .archives(
                archives[0],
                archives[1],
                left: leftSet ?? given,
                right: rightSet ?? given
            )
            return
        default: throw ValidationError("--from names one archive, or two")
        }
        if left != nil || right != nil {
            guard let leftSet, let rightSet, terms.isEmpty else {
                throw ValidationError("--left and --right go together, without anything else")
            }
            self = .sets(left: leftSet, right: rightSet)
            return
        }
        guard let (one, other) = given.text.pair else {
            throw ValidationError("name two exchanges by number, or two sets: --left and --right, --session, --from")
        }
        guard flags.isEmpty else { throw ValidationError("filter flags narrow sets; two exchanges are named already") }
        self = .pair(one, other)
    }

    /// Why numbers on the left need a right side of their own.
    static func numbersOfStore(beside archive: String) -> String {
        "numbers name exchanges of the store; say with --right which of \(VisibleText.line(archive)) are on the other side"
    }

    private static func session(_ name: String, _ flags: FlaggedFilter) throws -> Selector {
        guard !name.contains("\""), !name.isEmpty else { throw ValidationError("a session's name has no quotes") }
        return Selector(query: "session:\"\(name)\"", flags: flags)
    }
}
