import Support

/// A JSON value made up at random, with the text of every scalar as it is written, so that nothing of it is lost in a comparison.
indirect enum RandomJSON: Hashable {
    case scalar(String)
    case array([RandomJSON])
    case object([Member])

    struct Member: Hashable {
        var name: String
        var value: RandomJSON
    }

    /// Names of members, as they are written.
    static let names = [#""a""#, #""b""#, #""role""#, #""a b""#, #""é""#, #""\u0061""#, #""""#, #""x\"y""#]
    private static let scalars = [
        "72057594038268329", "0.0", "1e400", "-0", "1E+2", "true", "false", "null", #""""#, #""a,b]}""#, #""\"\\""#,
        #""\u00e9é""#, #""role""#, "12",
    ]

    init(_ dice: inout SeededGenerator, depth: Int = 0) {
        let count = Int.random(in: 0...4, using: &dice)
        switch Int.random(in: depth > 4 ? 0...0 : 0...3, using: &dice) {
        case 0,
            1 where depth > 0:
            self = .scalar(Self.scalars.randomElement(using: &dice) ?? "0")
        case 2: self = .array((0..<count).map { _ in RandomJSON(&dice, depth: depth + 1) })
        default:
            self = .object(
                (0..<count).map { _ in
                    let name = Self.names.randomElement(using: &dice) ?? #""a""#
                    return Member(name: name, value: RandomJSON(&dice, depth: depth + 1))
                }
            )
        }
    }

    /// The text with blanks at random places; with no dice, without any.
    func text(_ dice: inout SeededGenerator?) -> String {
        func blank() -> String {
            guard var own = dice else { return "" }
            defer { dice = own }
            return ["", "", " ", "\n  ", "\t"].randomElement(using: &own) ?? ""
        }
        switch self {
        case .scalar(let text): return text
        case .array(let elements):
            var text = "[" + blank()
            for (index, element) in elements.enumerated() {
                text += (index > 0 ? "," + blank() : "") + element.text(&dice) + blank()
            }
            return text + "]"
        case .object(let members):
            var text = "{" + blank()
            for (index, member) in members.enumerated() {
                text += (index > 0 ? "," + blank() : "") + member.name + blank() + ":" + blank()
                text += member.value.text(&dice) + blank()
            }
            return text + "}"
        }
    }

    /// The text without blanks.
    var plain: String {
        var none: SeededGenerator?
        return text(&none)
    }

    // MARK: A plain model of the edits

    /// With every member of a name, at any depth, set to a value; inside of what was set nothing is looked at.
    func setting(_ name: String, _ value: RandomJSON) -> RandomJSON {
        edited { $0.name == name ? RandomJSON.Member(name: $0.name, value: value) : nil }
    }

    /// Without the members of a name, at any depth.
    func removing(_ names: Set<String>) -> RandomJSON {
        switch self {
        case .scalar: return self
        case .array(let elements): return .array(elements.map { $0.removing(names) })
        case .object(let members):
            return .object(
                members.filter { !names.contains($0.name) }.map {
                    Member(name: $0.name, value: $0.value.removing(names))
                }
            )
        }
    }

    private func edited(_ change: (Member) -> Member?) -> RandomJSON {
        switch self {
        case .scalar: return self
        case .array(let elements): return .array(elements.map { $0.edited(change) })
        case .object(let members):
            return .object(
                members.map { change($0) ?? Member(name: $0.name, value: $0.value.edited(change)) }
            )
        }
    }
}
