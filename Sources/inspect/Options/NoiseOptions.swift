import ArgumentParser
import Traffic

/// What a comparison passes over, the same in `diff` and `replay`.
struct NoiseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Pass over what differs here: header:date, json:$.modified, json:$..id, query:ts; may be a comma list.",
            valueName: "noise"
        )
    )
    var ignore: [String] = []

    @Flag(
        help: "Do not pass over fields that always differ (Date, Age, X-Request-Id, Connection …) and Content-Length."
    )
    var noDefaultIgnore = false

    @Flag(help: "Send each request of the left side twice first, and pass over what differs between the two answers.")
    var learnNoise = false

    func validate() throws { _ = try noise() }

    /// What is declared, and what everyone knows.
    ///
    /// - Throws: `ValidationError` naming what cannot be read.
    func noise() throws -> DiffNoise {
        do {
            return try DiffNoise(declared: ignore, usesStandard: !noDefaultIgnore)
        } catch {
            throw ValidationError("--ignore: \(error)")
        }
    }
}
