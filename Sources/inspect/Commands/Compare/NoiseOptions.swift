import ArgumentParser
import Traffic

/// What a comparison ignores, the same in `diff` and `replay`.
struct NoiseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Ignore differences here: header:date, json:$.modified, json:$..id, query:ts; takes a comma list.",
            valueName: "noise"
        )
    )
    var ignore: [String] = []

    @Flag(
        help: "Compare fields that always differ too (Date, Age, X-Request-Id, Connection …) and Content-Length."
    )
    var noDefaultIgnore = false

    @Flag(help: "Send each request of the left side twice first, and ignore what differs between the two answers.")
    var learnNoise = false

    @Option(
        help: ArgumentHelp(
            "Do what --learn-noise does with this many answers, 2 to 100; more find what differs only now and then.",
            valueName: "number"
        ),
        transform: Count.init(option:)
    )
    var noiseSamples: Count?

    func validate() throws {
        if let count = noiseSamples?.count, !(2...100).contains(count) {
            throw ValidationError("--noise-samples \(count): expected 2 to 100")
        }
        _ = try noise()
    }

    /// How many answers to each request noise is learnt from; `nil` where no noise is learnt.
    var samples: Int? { noiseSamples?.count ?? (learnNoise ? 2 : nil) }

    /// The noise that the options name, and the fields that always differ.
    ///
    /// - Throws: `ValidationError` naming the text that cannot be read.
    func noise() throws -> DiffNoise {
        do {
            return try DiffNoise(declared: ignore, usesStandard: !noDefaultIgnore)
        } catch {
            throw ValidationError("--ignore: \(error)")
        }
    }
}
