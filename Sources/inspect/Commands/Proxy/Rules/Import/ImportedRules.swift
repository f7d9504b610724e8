import Traffic

/// The rules of another program's file, written as a rules file of ours.
struct ImportedRules {
    /// Bytes of all rules as they are written, each of which is read again: as many as a file has that is read.
    private static let limitBytes = 4 << 20
    /// Characters of a condition that our reader takes.
    private static let conditionLimit = 10_000
    /// Scalars of a name, which leave room for a number behind it.
    private static let nameLimit = 90
    /// Characters of a sentence in a comment.
    private static let gapLimit = 500

    /// The program that they come from.
    let program: String
    /// In the order of the file, with names of their own; what our reader refuses says why, and nothing else.
    let rules: [ImportedRule]
    /// What holds for the file as a whole and cannot be said.
    private let gaps: [String]
    private let path: String

    /// Reads a file's text, and finds out whose it is.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - path: its name, for messages.
    /// - Throws: `RuleFiles.Refusal` when it can be no such file, `InputError` when it holds no rules.
    init(_ text: String, path: String) throws {
        self.path = path
        let found: [ImportedRule]
        let text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        do {
            if text.utf8.first(where: { $0 > 0x20 }) != UInt8(ascii: "<") {
                (program, found, gaps) = ("mitmproxy", try MitmproxyFile.rules(text, path: path), [])
            } else {
                let root = try XMLTree.reading(text, path: path)
                let isFiddler = !FiddlerFile.elements(root).isEmpty
                program = isFiddler ? "Fiddler" : "Charles"
                found = isFiddler ? try FiddlerFile.rules(root, path: path) : try CharlesFile.rules(root, path: path)
                gaps = isFiddler ? FiddlerFile.gaps(root) : []
            }
        } catch let problem as RuleProblem {
            throw RuleFiles.Refusal(problems: [problem])
        }
        guard !found.isEmpty else { throw InputError("\(path) holds no rules of Charles, Fiddler or mitmproxy") }
        // What could not be read again is not printed, and is found before a condition is read.
        var left = ImportedRules.limitBytes
        for rule in found {
            left -= rule.byteCount
            guard left > 0 else {
                let limit = ImportedRules.limitBytes >> 20
                throw InputError("\(path) holds rules that take over \(limit) MiB when they are written out")
            }
        }
        var (taken, numbers): (Set<String>, [String: Int]) = ([], [:])
        var places: [String: Reading] = [:]
        var work = 0
        rules = found.map { rule in
            var rule = rule
            let base = ImportedRules.name(rule.name)
            rule.name = base
            while !taken.insert(rule.name).inserted {
                numbers[base, default: 1] += 1
                rule.name = "\(base) (\(numbers[base, default: 1]))"
            }
            guard rule.isSaid else { return rule }
            let reading = ImportedRules.reading(of: rule, &places)
            if let refusal = reading.refusal { rule.drop(because: refusal) } else { work += reading.work }
            return rule
        }
        guard work <= RuleReader.workLimit else {
            throw InputError("\(path) holds rules that test and change over \(RuleReader.workLimit) things")
        }
    }

    /// What our reader says of a rule: why it does not take it, and how many values it tests and changes.
    private struct Reading {
        var refusal: String?
        var work = 0
    }

    /// How many rules can be said.
    private var saidCount: Int { rules.count { $0.isSaid } }

    /// The rules file, its lines ended.
    var text: String {
        var lines = ["# Rules of \(program) from \(VisibleText.line(path)). Each is off until it is switched on."]
        lines += gaps.map { "# \(ImportedRules.comment($0))" }
        lines.append(saidCount > 0 ? "rules:" : "rules: []")
        for rule in rules {
            let what = rule.isSaid ? "not said" : "no rule for '\(rule.name)'"
            lines += rule.gaps.map { "# \(what): \(ImportedRules.comment($0))" }
            if rule.isSaid { lines += rule.lines }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// `12 rules of Charles, 3 of them not whole; 2 others cannot be said`.
    var summary: String {
        let partCount = rules.count { $0.isSaid && !$0.gaps.isEmpty }
        let lostCount = rules.count - saidCount
        return "\(saidCount.counted("rule")) of \(program)" + (partCount > 0 ? ", \(partCount) of them not whole" : "")
            + (lostCount > 0 ? "; \(lostCount.counted("other")) cannot be said" : "")
    }

    /// What our reader says of a rule.
    ///
    /// - Parameters:
    ///   - rule: the rule.
    ///   - places: the answer for each term of a set's places, which is read once.
    /// - Returns: the answer.
    private static func reading(of rule: ImportedRule, _ places: inout [String: Reading]) -> Reading {
        var rest = rule
        // Too long a condition is refused by its length.
        guard let term = rule.places, rule.condition.utf8.count <= conditionLimit else { return reading(of: rest) }
        let known =
            places[term]
            ?? reading(
                of: ImportedRule("places") { (alone: inout ImportedRule) in
                    alone.places = term
                    alone.add("stop", "true")
                }
            )
        places[term] = known
        guard known.refusal == nil else { return known }
        rest.places = nil
        var reading = reading(of: rest)
        reading.work += known.work
        return reading
    }

    private static func reading(of rule: ImportedRule) -> Reading {
        do {
            let text = (["rules:"] + rule.lines).joined(separator: "\n") + "\n"
            var reader = RuleReader(path: "rules.yaml", directory: "/", bytes: fileCheck)
            _ = reader.file(try RuleTree.reading(text, path: reader.path))
            return Reading(refusal: reader.problems.first?.sentence, work: reader.work)
        } catch {
            return Reading(refusal: (error as? RuleProblem)?.sentence ?? error.told)
        }
    }

    /// Finds out whether a file that a rule names can be read, and reads nothing of it.
    private static func fileCheck(_ path: String, limitBytes: Int) throws(RuleFault) -> [UInt8] {
        let length: Int
        do throws(RuleFault) {
            length = try OpenedFile(path).length
        } catch {
            // Whoever asks says that the file cannot be read.
            let words = error.sentence.ranges(of: "cannot be read: ").last?.upperBound ?? error.sentence.startIndex
            throw RuleFault(String(error.sentence[words...]))
        }
        guard length <= limitBytes else { throw RuleFault("it is over \(limitBytes >> 20) MiB") }
        return []
    }

    private static func comment(_ text: String) -> String {
        let line = VisibleText.line(text)
        return line.count > gapLimit ? "\(line.prefix(gapLimit))…" : line
    }

    /// A name as rules have them.
    private static func name(_ text: String) -> String {
        let line = VisibleText.line(text).replacing(",", with: " ").unicodeScalars.prefix(nameLimit)
        let short = String(line).trimmingBlanks
        return short.isEmpty || short.lowercased() == Facet.none ? "rule" : short
    }
}
