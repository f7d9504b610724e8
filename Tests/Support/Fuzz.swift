import Foundation

/// A parser that meets strangers, and inputs for it that are nearly right.
///
/// They are made from its corpus, which is kept: `Tests/Corpus/NAME` has a file for each, and every run reads those first. An input that was
/// taken badly belongs there beside the fix. Until then it is in `.build/fuzz`: as `PARSER-bad-…`, or as `PARSER` where it ended the process
/// or is read for ever.
package struct Fuzz: Sendable, CustomStringConvertible {
    /// What a run came to.
    package struct Outcome: Sendable {
        package fileprivate(set) var executions = 0
        /// The most that one input cost: nanoseconds of this thread.
        package fileprivate(set) var costliest: UInt64 = 0
        /// A sentence for each input that was taken badly.
        package fileprivate(set) var findings: [String] = []
    }

    /// What one input may cost.
    package struct Limits: Sendable {
        /// Of this thread's time: 100 ms on a machine that needs no patience.
        package var nanoseconds: UInt64
        /// What the process may grow by while the input is read.
        package var bytes: Int

        package init(nanoseconds: UInt64 = 100_000_000 * UInt64(Patience.factor), bytes: Int = 64 << 20) {
            (self.nanoseconds, self.bytes) = (nanoseconds, bytes)
        }
    }

    /// Inputs that were taken badly, after which a run ends.
    private static let findingLimit = 3
    /// Inputs beside the corpus that a run by time goes on from: those that cost the most for their length.
    private static let poolLimit = 64

    /// One word, which no other parser has.
    package let name: String
    /// The folder of its corpus.
    let corpusName: String
    let pieces: [[UInt8]]
    let mostBytes: Int
    let limits: Limits
    let parse: @Sendable ([UInt8]) throws -> Void

    package var description: String { name }

    /// - Parameters:
    ///   - name: one word.
    ///   - corpus: the folder of its corpus, the name unless given.
    ///   - pieces: what the language is made of.
    ///   - mostBytes: the longest input.
    ///   - limits: what one may cost.
    ///   - parse: reads an input; what it throws is a refusal.
    package init(
        _ name: String,
        corpus: String? = nil,
        pieces: [String],
        mostBytes: Int = 16 << 10,
        limits: Limits = Limits(),
        parse: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        corpusName = corpus ?? name
        self.pieces = pieces.map { Array($0.utf8) }
        self.mostBytes = mostBytes
        self.limits = limits
        self.parse = parse
    }

    /// Reads the corpus and so many inputs made from it, the same ones for the same seed.
    package func run(rounds: Int, seed: UInt64 = 1) throws -> Outcome {
        var left = rounds
        return try run(seed, keepsCostly: false) {
            left -= 1
            return left >= 0
        }
    }

    /// Reads inputs for so long, and goes on from those that cost the most.
    package func run(for time: Duration, seed: UInt64) throws -> Outcome {
        let end = ContinuousClock.now + time
        return try run(seed, keepsCostly: true) { ContinuousClock.now < end }
    }

    private func run(_ seed: UInt64, keepsCostly: Bool, while goesOn: () -> Bool) throws -> Outcome {
        var random = SeededGenerator(seed: seed)
        let corpus = try Fuzz.corpus(corpusName)
        let bench = try FuzzBench(self)
        // At once, since an input may end the process.
        FileHandle.standardError.write(Data("fuzzing \(name) with seed \(seed), reading .build/fuzz/\(name)\n".utf8))
        var outcome = Outcome()
        var costly: [(rate: Double, input: [UInt8])] = []
        var waiting = corpus[...]
        while outcome.findings.count < Fuzz.findingLimit {
            let input: [UInt8]
            if let kept = waiting.popFirst() {
                input = kept
            } else {
                guard goesOn() else { break }
                let isOn = !costly.isEmpty && Bool.random(using: &random)
                let start = isOn ? costly.randomElement(using: &random)?.input : corpus.randomElement(using: &random)
                input = mutated(start ?? [], corpus, &random)
            }
            let (nanoseconds, finding) = try bench.read(input)
            outcome.executions += 1
            outcome.costliest = max(outcome.costliest, nanoseconds)
            if let finding { outcome.findings.append("\(finding) (seed \(seed))") }
            guard keepsCostly, !input.isEmpty else { continue }
            let rate = Double(nanoseconds) / Double(input.count + 64)
            if costly.count < Fuzz.poolLimit {
                costly.append((rate, input))
            } else if let least = costly.indices.min(by: { costly[$0].rate < costly[$1].rate }),
                costly[least].rate < rate
            {
                costly[least] = (rate, input)
            }
        }
        return outcome
    }
}
