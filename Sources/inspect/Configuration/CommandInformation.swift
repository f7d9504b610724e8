import ArgumentParser
import Traffic

/// What a command takes, as its declarations say it: the one list of options that the configuration, the manual page and the tests read.
struct CommandInformation {
    let name: String
    let abstract: String
    let discussion: String
    let arguments: [ArgumentInformation]
    let subcommands: [CommandInformation]

    /// Reads it from the declarations of a command.
    ///
    /// - Throws: `InputError` when they cannot be read, which the tests rule out.
    init(of command: any ParsableCommand.Type) throws {
        guard let tree = try? JSONReader.value(Array(command._dumpHelp().utf8)), let own = tree["command"] else {
            throw InputError("the options of '\(command._commandName)' cannot be read")
        }
        self.init(own)
    }

    private init(_ json: JSONValue) {
        name = json["commandName"]?.string ?? ""
        abstract = json["abstract"]?.string ?? ""
        discussion = json["discussion"]?.string ?? ""
        arguments = (json["arguments"]?.elements ?? []).map(ArgumentInformation.init)
        // The parser adds its own 'help', which has nothing to configure and no page.
        subcommands = (json["subcommands"]?.elements ?? []).map(CommandInformation.init).filter { $0.name != "help" }
    }
}
