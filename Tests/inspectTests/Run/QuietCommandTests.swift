import Foundation
import Store
import Support
import Testing

@testable import inspect

@Suite("A program that is asked something", .timeLimit(.minutes(15)))
struct QuietCommandTests {
    private static let environment = ["PATH": "/usr/bin:/bin"]
    private static let silent = ["tail", "-f", "/dev/null"]
    private let threads = BlockingThreads()

    @Test("It is killed where nobody waits for its answer any more, and that is no answer")
    func cancelled() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                withUnsafeCurrentTask { $0?.cancel() }
                await #expect(throws: CancellationError.self) {
                    try await QuietCommand.run(Self.silent, environment: Self.environment)
                }
            }
        }
    }

    @Test("What it has started is killed with it")
    func children() async throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        // The child says its number into the pipe, which ends when nobody holds it any more.
        let child = "sh -c 'echo $$; exec tail -f /dev/null' > '\(pipe)' & wait"
        let said = Watched<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { reading in
            reading.addTask(executorPreference: threads) {
                let descriptor = open(pipe, O_RDONLY)
                defer { close(descriptor) }
                var lines = RPCLines(descriptor, limitBytes: 100)
                while case .whole(let line) = lines.next() {
                    said.update { $0.append(String(decoding: line, as: UTF8.self)) }
                }
                said.update { $0.append("end") }
            }
            var number: String?
            do {
                number = try await withThrowingTaskGroup(of: Void.self) { asking in
                    asking.addTask {
                        _ = try await QuietCommand.run(["sh", "-c", child], environment: Self.environment)
                    }
                    let number = try await said.wait(for: "the child to begin") { !$0.isEmpty }.first
                    asking.cancelAll()
                    return number
                }
                _ = try await said.wait(for: "the child to end") { $0.last == "end" }
            } catch {
                // Where the child never opened the pipe, the reader still waits for somebody to do so.
                close(open(pipe, O_WRONLY | O_NONBLOCK))
                if let number = number.flatMap({ Int32($0) }) { kill(number, SIGKILL) }
                throw error
            }
        }
    }

    @Test("All that it says is read, as by a JDK with a thousand roots; more than the bound is an error, and not cut")
    func long() async throws {
        func said(_ bytes: Int) async throws -> Int? {
            let words = ["head", "-c", "\(bytes)", "/dev/zero"]
            return try await QuietCommand.run(words, environment: Self.environment)?.output.utf8.count
        }
        #expect(try await said(3 << 20) == 3 << 20)
        await #expect(throws: InputError.self) { try await said(17 << 20) }
    }

    @Test("It is told once that it has not answered yet, and not before its time")
    func told() async throws {
        for (silence, count) in [(Duration.zero, 1), (.seconds(60), 0)] {
            let told = Watched<[String]>([])
            let outcome = try await QuietCommand.run(
                Self.silent,
                environment: Self.environment,
                within: .milliseconds(300),
                silentFor: silence
            ) { line in told.update { $0.append(line) } }
            #expect(outcome?.status == 128 + SIGKILL && outcome?.isUnheard == true)
            #expect(told.value.count == count && told.value.allSatisfy { $0.contains("tail has not answered") })
        }
    }
}
