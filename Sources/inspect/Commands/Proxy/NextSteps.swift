/// The three ways that send a first request through a proxy, as lines with the commands.
struct NextSteps {
    /// The options that have a command find the proxy and its root, each with a blank before it; empty for the default places.
    let places: String

    var lines: [String] {
        [
            "one command   inspect run\(places) -- curl https://example.com/",
            "a browser     inspect browser\(places)",
            "this shell    eval \"$(inspect env\(places))\"",
        ]
    }
}
