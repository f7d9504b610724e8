import Foundation
import Support
import Testing

/// Programs started and waited for.
@Suite(.timeLimit(.minutes(15))) struct RunningProcessTests {
    @Test("A tool's output, errors, input and status come back")
    func tool() async throws {
        let result = try await CommandLineTool.run(
            "sh",
            ["-c", "cat; echo \"$GREETING\"; echo oops >&2; exit 3"],
            environment: ["GREETING": "hello"],
            input: Array("in ".utf8)
        )
        #expect(result.status == 3)
        #expect(result.output == "in hello\n")
        #expect(result.errors == "oops\n")
    }

    @Test("Proxy variables of the caller never reach a tool, unless the test sets them")
    func proxyVariables() async throws {
        let result = try await CommandLineTool.run("env", [], environment: ["https_proxy": "http://127.0.0.1:1"])
        let variables = result.output.lowercased().split(separator: "\n").filter { $0.contains("_proxy=") }
        #expect(variables == ["https_proxy=http://127.0.0.1:1"])
    }

    @Test("A tool that takes too long is killed, and the failure says so")
    func tooLong() async throws {
        await #expect(throws: DeadlinePassed.self) {
            try await CommandLineTool.run("tail", ["-f", "/dev/null"], within: .milliseconds(50))
        }
    }

    @Test("A tool that is not there is named")
    func missing() async throws {
        await #expect(throws: CommandLineTool.Missing.self) { try await CommandLineTool.run("no-such-tool", []) }
    }

    @Test("A process is seen to say something, and ends when told to")
    func process() async throws {
        let process = try RunningProcess(
            "/bin/sh",
            ["-c", "trap 'echo bye; exit 5' TERM; tail -f /dev/null & echo ready on 7; wait"]
        )
        #expect(try await process.line(containing: "ready") == "ready on 7")
        let ended = try await process.stop()
        #expect(ended.status == 5)
        #expect(String(decoding: ended.output, as: UTF8.self) == "ready on 7\nbye\n")
    }

    @Test("A process that ends without saying it fails the wait at once")
    func endsEarly() async throws {
        let process = try RunningProcess("/bin/sh", ["-c", "echo no >&2; exit 2"])
        let error = await #expect(throws: EndedEarly.self) {
            try await process.line(containing: "ready", within: .seconds(60))
        }
        #expect(error?.description.contains("no") == true)
    }

    @Test("A killed process has the signal in its status")
    func killed() async throws {
        let process = try RunningProcess(try CommandLineTool.find("tail"), ["-f", "/dev/null"])
        #expect(try await process.destroy().status == 137)
    }

    @Test("What a process started and left behind in its group ends with it")
    func leftBehind() async throws {
        let process = try RunningProcess("/bin/sh", ["-c", "tail -f /dev/null & echo left; exit 4"])
        let ended = try await process.end()
        // Nobody holds its pipes any more.
        #expect(ended.isComplete && ended.status == 4 && String(decoding: ended.output, as: UTF8.self) == "left\n")
    }

    @Test("Output that somebody outside its group keeps open is not taken for whole: the wait fails and says so")
    func keptOpen() async throws {
        let script = """
            import os, signal
            left, right = os.pipe()
            if os.fork() == 0:
                os.setsid()
                print("child", os.getpid(), flush=True)
                os.write(right, b".")
                signal.pause()
            os.read(left, 1)
            """
        let process = try RunningProcess(try CommandLineTool.find("python3"), ["-c", script])
        let line = try await process.line(containing: "child")
        let child = try #require(line.split(separator: " ").last.flatMap { Int32($0) })
        defer { kill(child, SIGKILL) }
        let failure = await #expect(throws: DeadlinePassed.self) {
            while process.soFar.status == nil { _ = try? await process.end(within: .milliseconds(20)) }
            _ = try await process.end(within: .milliseconds(20))
        }
        #expect(failure?.what.contains("output to end") == true)
    }

    @Test("A child gets none of our files, up to the last number that there may be")
    func files() async throws {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let last = fcntl(file, F_DUPFD, min(getdtablesize(), 65_536) - 1)
        defer { for one in [file, last] { close(one) } }
        let listed = try await CommandLineTool.run("ls", ["/dev/fd"]).output
        let numbers = listed.split(separator: "\n").compactMap { Int32($0) }
        #expect(last > 0 && numbers.contains(1) && !numbers.contains(last), "\(numbers)")
    }

    @Test("A temporary directory is closed to others and gone with its value")
    func directory() async throws {
        var directory: TemporaryDirectory? = try TemporaryDirectory()
        let path = try #require(directory?.path)
        try directory?.write("text", to: "a")
        #expect(try directory?.read("a") == Array("text".utf8))
        #expect(try await CommandLineTool.run("stat", ["-c", "%a", path]).output == "700\n")
        directory = nil
        #expect(try await CommandLineTool.run("stat", [path]).status != 0)
    }
}
