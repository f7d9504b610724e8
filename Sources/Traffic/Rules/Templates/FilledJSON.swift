/// A JSON text that was made for one exchange: the values of its templates are filled in.
indirect enum FilledJSON: Hashable, Sendable {
    /// A number, `true`, `false` or `null`, as it was written.
    case literal(String)
    case string(String)
    case array([FilledJSON])
    case object([Member])

    struct Member: Hashable, Sendable {
        var name: String
        var value: FilledJSON
    }

    var isNull: Bool { self == .literal("null") }

    /// Members of it and of the objects in it; 1 where it is no object.
    var membersCount: Int {
        guard case .object(let members) = self else { return 1 }
        return members.reduce(members.count) { count, member in
            if case .object = member.value { count + member.value.membersCount } else { count }
        }
    }

    /// Whether it is a single value.
    var isScalar: Bool {
        switch self {
        case .literal, .string: true
        case .array, .object: false
        }
    }

    /// The text.
    ///
    /// - Parameter isASCII: whether escapes stand for all other characters, as in a text whose charset is not UTF-8.
    /// - Returns: its bytes, in UTF-8.
    func bytes(isASCII: Bool = false) -> [UInt8] {
        var out: [UInt8] = []
        write(to: &out, isASCII)
        return out
    }

    private func write(to out: inout [UInt8], _ isASCII: Bool) {
        switch self {
        case .literal(let text): out += text.utf8
        case .string(let text): out += FilledJSON.quoted(text, isASCII: isASCII)
        case .array(let elements):
            out.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { out.append(ASCII.comma) }
                element.write(to: &out, isASCII)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { out.append(ASCII.comma) }
                out += FilledJSON.quoted(member.name, isASCII: isASCII)
                out.append(ASCII.colon)
                member.value.write(to: &out, isASCII)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// A text as a JSON string.
    static func quoted(_ text: String, isASCII: Bool) -> [UInt8] {
        let quoted = JSONWriter.quoted(text)
        guard isASCII, !quoted.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(quoted.utf8) }
        var out: [UInt8] = []
        for unit in quoted.utf16 {
            if unit < 0x80 {
                out.append(UInt8(truncatingIfNeeded: unit))
            } else {
                out += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
                for shift in [12, 8, 4, 0] as [UInt16] { out.append(Hexadecimal.digits[Int(unit >> shift & 0xF)]) }
            }
        }
        return out
    }

    /// The value without members that are null, as a merge leaves it where there was none before (RFC 7396 §2).
    var withoutNulls: FilledJSON {
        guard case .object(let members) = self else { return self }
        return .object(
            members.filter { !$0.value.isNull }.map { Member(name: $0.name, value: $0.value.withoutNulls) }
        )
    }
}

extension JSONTemplate {
    /// The value with its templates filled in.
    ///
    /// It ends early where `scope` has no room left, which `check` says.
    func filled(_ scope: inout TemplateScope) -> FilledJSON {
        scope.hasRoom(for: leastBytes) ? fill(&scope) : .literal("null")
    }

    private func fill(_ scope: inout TemplateScope) -> FilledJSON {
        switch self {
        case .literal(let text): return .literal(scope.take(text.utf8.count) ? text : "null")
        case .string(let template): return .string(scope.text(template, in: .coded))
        case .array(let elements):
            var filled: [FilledJSON] = []
            for element in elements where scope.isWhole { filled.append(element.fill(&scope)) }
            return .array(filled)
        case .object(let members):
            var filled: [FilledJSON.Member] = []
            for member in members where scope.take(member.name.utf8.count) {
                filled.append(FilledJSON.Member(name: member.name, value: member.value.fill(&scope)))
            }
            return .object(filled)
        }
    }
}
