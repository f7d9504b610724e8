import ArgumentParser

/// Where options that are not on the command line come from.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A YAML file that sets these options by their long names. A flag wins over an INSPECT_… variable, and a variable over the file.",
            discussion:
                "Default: $INSPECT_CONFIG, else inspect/config.yaml under $XDG_CONFIG_HOME (~/.config), if it is there.",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml", "yml"])
    )
    var config: String?

    @Option(help: ArgumentHelp("The profile to take from that file.", valueName: "name"))
    var profile: String?
}
