#if COVERAGE
package import Foundation
package import Synchronization

/// What reads inputs for libFuzzer, which calls a function of C's.
private let explored = Mutex<FuzzBench?>(nil)

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ read: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What `Tests/Fuzz/run` builds alone: there every branch is counted, and libFuzzer is linked.
extension Fuzz {
    /// Has libFuzzer look for inputs that reach what none before them has, for so long; it ends the process then.
    ///
    /// It goes on from the corpus and from what it found before, which it keeps in `.build/fuzz/corpus`. An input that costs too much is kept
    /// and said; one that traps, or is read for ten seconds, ends the process and is kept too.
    package func explore(minutes: Int) throws {
        let folder = Fuzz.checkout.appending(path: ".build/fuzz")
        let found = folder.appending(path: "corpus/\(name)")
        try FileManager.default.createDirectory(at: found, withIntermediateDirectories: true)
        let dictionary = folder.appending(path: "\(name).dictionary")
        let lines = pieces.map { piece in
            "\"" + piece.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\"\n"
        }
        try Data(lines.joined().utf8).write(to: dictionary)
        let bench = try FuzzBench(self)
        explored.withLock { $0 = bench }
        let arguments = [
            name, "-max_total_time=\(minutes * 60)", "-max_len=\(mostBytes)", "-dict=\(dictionary.path)",
            "-timeout=10", "-rss_limit_mb=4096", "-detect_leaks=0", "-use_value_profile=1", "-print_final_stats=1",
            "-artifact_prefix=\(folder.path)/\(name)-bad-", found.path, Fuzz.folder(corpusName).path,
        ]
        var count = CInt(arguments.count)
        var words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
        for (index, argument) in arguments.enumerated() { words[index] = strdup(argument) }
        words[arguments.count] = nil
        _ = runDriver(&count, &words) { start, count in
            let input = Array(UnsafeBufferPointer(start: start, count: count))
            if let finding = try? explored.withLock({ $0 })?.read(input).finding {
                FileHandle.standardError.write(Data("FOUND \(finding)\n".utf8))
            }
            return 0
        }
    }
}
#endif
