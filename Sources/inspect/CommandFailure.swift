import ArgumentParser
import Foundation
import Traffic

/// What ends the process when a command throws: where the text goes, and the exit status.
struct CommandFailure {
    /// Usage and input errors exit with this; ArgumentParser's own 64 is not used.
    static let usageStatus: Int32 = 2

    /// What to print on standard error; `nil` for nothing.
    let line: String?
    /// The exit status.
    let status: Int32
    /// Help or version text to print on standard output.
    let text: String?

    /// Reads an error thrown by the parser or by a command.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - arguments: the command line, program name first; names the help page to point at.
    init(_ error: any Error, arguments: [String]) {
        let status = Inspect.exitCode(for: error)
        if error is OutputClosed {
            (line, self.status, text) = (nil, 0, nil)
        } else if let code = error as? ExitCode {
            (line, self.status, text) = (nil, code.rawValue, nil)
        } else if let error = error as? FilterError {
            let pointer = error.pointer.map { "\n  " + VisibleText.line($0) }.joined()
            let sentence = VisibleText.line(error.words)
            (line, self.status, text) = ("inspect: \(sentence)\(pointer)", CommandFailure.usageStatus, nil)
        } else if let error = error as? RuleFiles.Refusal {
            // A line for each mistake, in the form in which editors find its place.
            let lines = error.problems.map { VisibleText.line($0.description) }.joined(separator: "\n")
            (line, self.status, text) = (lines, CommandFailure.usageStatus, nil)
        } else if status.isSuccess {
            (line, self.status, text) = (nil, 0, Inspect.fullMessage(for: error))
        } else {
            let isUsage = status == .validationFailure
            let unknown = isUsage ? CommandFailure.unknownCommand(arguments) : nil
            let message = unknown.map(VisibleText.line) ?? CommandFailure.sentence(error)
            let hint = isUsage ? CommandFailure.hint(arguments) : ""
            (line, self.status, text) = ("inspect: \(message)\(hint)", CommandFailure.usageStatus, nil)
        }
    }

    /// Prints and ends the process.
    func exit() -> Never {
        if let text { FileHandle.standardOutput.writeIgnoringErrors(text + "\n") }
        if let line { Console.remark(line) }
        Foundation.exit(status)
    }

    /// The error on one line, with control characters made visible.
    static func sentence(_ error: any Error) -> String {
        let message = error is any AdvisedError ? error.told : Inspect.message(for: error)
        let lines = message.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        var joined = lines.filter { !$0.isEmpty }.joined(separator: " ")
        if joined.hasSuffix(".") { joined.removeLast() }
        return VisibleText.line(joined.isEmpty ? String(describing: error) : joined)
    }

    /// The word in the place of a command that is none, with what was probably meant.
    private static func unknownCommand(_ arguments: [String]) -> String? {
        guard let word = arguments.dropFirst().first, !word.hasPrefix("-"), word != "help", !names.contains(word) else {
            return nil
        }
        let guess = EditDistance.nearest(to: word, in: names).map { "; did you mean '\($0)'?" }
        return "there is no command '\(word)'\(guess ?? "")"
    }

    /// Points at the help page that has the options of the command that was meant.
    private static func hint(_ arguments: [String]) -> String {
        let path = CommandPath(Array(arguments.dropFirst().drop { !names.contains($0) }))
        var words = ["inspect", "help"] + path.names
        if let command = path.command, command._commandName != path.names.last, takes(command, path.rest.first) {
            words.append(command._commandName)
        }
        return " (see '\(words.joined(separator: " "))')"
    }

    /// Whether a default sub-command takes the first word behind its menu, if any; otherwise the word was meant for another sub-command.
    private static func takes(_ command: any ParsableCommand.Type, _ word: String?) -> Bool {
        guard let word, !word.hasPrefix("-") else { return true }
        let information = try? CommandInformation(of: command)
        return information?.arguments.contains { $0.kind == .positional } ?? false
    }

    private static var names: [String] { Inspect.commandNames }
}

extension FileHandle {
    /// Writes text; where nobody can read it, it is lost.
    fileprivate func writeIgnoringErrors(_ text: String) {
        try? write(contentsOf: Data(text.utf8))
    }
}
