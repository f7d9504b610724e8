import Foundation
import Traffic

/// The rules files that were named, read whole or refused whole.
struct RuleFiles {
    /// What is wrong with rules files, a line for each place.
    struct Refusal: Error, CustomStringConvertible {
        /// In the order of the files, and never empty.
        let problems: [RuleProblem]

        var description: String { problems.map(\.description).joined(separator: "\n") }
    }

    /// Bytes of a file.
    static let limitBytes = 16 << 20
    /// Files of a directory.
    private static let limit = 1_000

    /// The rules in the order of the files; of a directory, its `.yaml` and `.yml` files in the order of their names.
    ///
    /// - Parameters:
    ///   - paths: files and directories, as the user named them; a file that is named twice is read once, where it stands first.
    ///   - own: rules that stand in no file, before all others.
    ///   - pipes: those of the paths that were read already; `nil` where none was, so that pipes are read now.
    /// - Returns: the rules, whose names are unique.
    /// - Throws: `InputError` when there is nothing to read, `Refusal` when something in it is wrong.
    static func rules(at paths: [String], after own: [Rule] = [], pipes: RulePipes? = nil) throws -> [Rule] {
        let pipes = try pipes ?? RulePipes(among: paths, limitBytes: limitBytes)
        var rules = own
        var problems: [RuleProblem] = []
        var known: Set<String> = []
        let bodies = BodyFiles()
        var work = 0
        for path in try paths.flatMap({ pipes.text($0) == nil ? try files($0) : [$0] }) {
            // A file that is named twice, or lies in a directory that is named too, is meant once.
            guard known.insert(URL(fileURLWithPath: path).resolvingSymlinksInPath().path).inserted else { continue }
            do {
                // A pipe lies in no directory.
                let directory =
                    pipes.text(path) == nil
                    ? URL(fileURLWithPath: path).deletingLastPathComponent().path
                    : FileManager.default.currentDirectoryPath
                var reader = RuleReader(path: path, directory: directory, after: work, bytes: bodies.bytes)
                rules += try read(try pipes.text(path) ?? text(path), &reader)
                problems += reader.problems
                work = reader.work
            } catch let problem as RuleProblem {
                problems.append(problem)
            }
            // More are not told.
            guard problems.count < RuleProblem.limit, work <= RuleReader.workLimit, rules.count <= RuleList.limit else {
                break
            }
        }
        problems += RuleReader.duplicates(in: rules)
        if rules.count > RuleList.limit, let last = rules.last {
            problems.append(
                RuleProblem(
                    path: last.place.path,
                    line: last.place.line,
                    column: last.place.column,
                    sentence: "these are \(rules.count) rules in all; at most \(RuleList.limit) are taken"
                )
            )
        }
        guard problems.isEmpty else { throw Refusal(problems: RuleProblem.first(problems)) }
        return rules
    }

    /// The rules of a text, and what is wrong with it.
    ///
    /// - Throws: `RuleProblem` when the text is no YAML.
    static func read(_ text: String, path: String) throws -> (rules: [Rule], problems: [RuleProblem]) {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var reader = RuleReader(path: path, directory: directory, bytes: BodyFiles().bytes)
        return (try read(text, &reader), reader.problems)
    }

    /// The rules of a text that stands in no file, and can name none.
    ///
    /// - Parameters:
    ///   - text: YAML.
    ///   - name: what messages call it.
    /// - Returns: the rules, whose names are unique.
    /// - Throws: `Refusal` when something in it is wrong.
    static func rules(of text: String, named name: String) throws -> [Rule] {
        do {
            var reader = RuleReader(textNamed: name)
            let rules = try read(text, &reader)
            let all = reader.problems + RuleReader.duplicates(in: rules)
            guard all.isEmpty else { throw Refusal(problems: RuleProblem.first(all)) }
            return rules
        } catch let problem as RuleProblem {
            throw Refusal(problems: [problem])
        }
    }

    private static func read(_ text: String, _ reader: inout RuleReader) throws -> [Rule] {
        reader.file(try RuleTree.reading(text, path: reader.path))
    }

    /// The file of a path, or the rules files of a directory.
    ///
    /// - Throws: `InputError` when there is nothing, or too much.
    static func files(_ path: String) throws -> [String] {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw InputError("there is no rules file \(path)")
        }
        guard isDirectory.boolValue else { return [path] }
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { !$0.hasPrefix(".") && ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) }.sorted()
        guard names.count <= limit else {
            throw InputError("\(path) holds \(names.count) rules files; at most \(limit) are read")
        }
        let base = path.hasSuffix("/") ? path : path + "/"
        return names.map { base + $0 }
    }

    private static func text(_ path: String) throws -> String {
        let bytes: [UInt8]
        do {
            let file = try OpenedFile(path)
            bytes = try file.read(at: 0, count: min(file.length, limitBytes + 1))
        } catch {
            throw InputError("the rules file \(path) cannot be read: \((error as? RuleFault)?.sentence ?? "\(error)")")
        }
        guard bytes.count <= limitBytes, let text = String(validating: bytes, as: UTF8.self) else {
            throw InputError("the rules file \(path) is no UTF-8 text of at most 16 MiB")
        }
        return text
    }
}
