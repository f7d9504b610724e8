import Foundation
import Support
import Testing

/// The completions in the shells that they are for, from where these look for them by themselves.
@Suite(.timeLimit(.minutes(15))) struct CompletionsCommandTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Installs a shell's; its home is this directory, and `inspect` is on its path.
    private func install(_ shell: String) async throws -> CommandLineTool.Result {
        let result = try await RunningInspect.run(["completions", shell, "--install"], in: directory)
        #expect(result.status == 0, "\(result.errors)")
        return result
    }

    private func run(_ shell: String, _ arguments: [String]) async throws -> CommandLineTool.Result {
        let folder = URL(filePath: try Executable.inspect()).deletingLastPathComponent().path
        let path = "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        return try await CommandLineTool.run(
            shell,
            arguments,
            environment: RunningInspect.environment(directory).merging(["PATH": path]) { $1 }
        )
    }

    @Test("bash completes commands and options")
    func bash() async throws {
        let path = directory.file("data/bash-completion/completions/inspect")
        #expect(try await install("bash").output == "wrote \(path)\n")
        let script = """
            source "$1"
            COMP_WORDS=(inspect start --drain) COMP_CWORD=2 COMP_LINE='inspect start --drain' COMP_POINT=21
            function=$(complete -p inspect | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
            $function inspect --drain start
            echo "${COMPREPLY[*]}"
            """
        let completed = try await run("bash", ["--norc", "-c", script, "bash", path])
        #expect(completed.output.trimmingCharacters(in: .whitespacesAndNewlines) == "--drain-seconds", "\(completed)")
    }

    @Test(
        "bash runs nothing of a recorded value that it completes, and offers the others",
        arguments: ["$(>ran)", "`>ran`"]
    )
    func recordedCommand(command: String) async throws {
        let entry = """
            {"startedDateTime":"2026-01-02T03:04:05.678Z","time":1,"request":{"method":"GET","url":"https://a.test/","httpVersion":"HTTP/1.1",
            "cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1",
            "cookies":[],"headers":[{"name":"Content-Type","value":"text/x\(command)a"}],"content":{"size":1,"mimeType":"text/x\(command)a","text":"x"},
            "redirectURL":"","headersSize":-1,"bodySize":1},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}
            """
        let har =
            "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"t\",\"version\":\"1\"},\"entries\":[\(entry)]}}"
        let imported = try await RunningInspect.run(["import", try directory.write(har, to: "a.har")], in: directory)
        #expect(imported.status == 0, "\(imported.errors)")
        let begun = try await RunningInspect.run(["complete", "type:text/x"], in: directory)
        #expect(begun.output.contains(command), "\(begun)")
        _ = try await install("bash")
        let script = """
            source "$1"
            cd "$2"
            COMP_WORDS=(inspect ls type:) COMP_CWORD=2 COMP_LINE='inspect ls type:' COMP_POINT=16
            function=$(complete -p inspect | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
            $function inspect type: ls
            echo "${COMPREPLY[*]}"
            """
        let path = directory.file("data/bash-completion/completions/inspect")
        let completed = try await run("bash", ["--norc", "-c", script, "bash", path, directory.file("")])
        #expect(completed.output.contains("type:json") && !completed.output.contains("text/x"), "\(completed)")
        #expect(!FileManager.default.fileExists(atPath: directory.file("ran")))
    }

    @Test("fish completes commands, options and files, each with what it is")
    func fish() async throws {
        let path = directory.file("config/fish/completions/inspect.fish")
        #expect(try await install("fish").output == "wrote \(path)\n")
        let begun = ["inspect doct", "inspect start --drain", "inspect config sh", "inspect mark fav"]
        for (words, expected) in zip(begun, ["doctor\t", "--drain-seconds\t", "show\t", "favourite\t"]) {
            let completed = try await run("fish", ["-c", "complete --do-complete '\(words)'"])
            #expect(completed.errors.isEmpty && completed.output.hasPrefix(expected), "\(words): \(completed)")
            #expect(completed.output.split(separator: "\n").count == 1, "\(words): \(completed)")
        }
    }

    @Test("zsh completes commands and options at the press of a key, by the line that installing names")
    func zsh() async throws {
        let installed = try await install("zsh").output.split(separator: "\n").map(String.init)
        let advice = try #require(installed.last?.split(separator: ": ").last.map(String.init))
        #expect(installed.count == 2 && advice.hasPrefix("fpath=("), "\(installed)")
        // A terminal of its own, in which a key prints the line as it stands.
        let script = try directory.write(
            #"""
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell "PS1=; $1; autoload -U compinit; compinit -u -d $2; show() { print -r -- \"<\$BUFFER>\"; zle kill-buffer }; zle -N show; bindkey '^X' show; echo rea''dy"
            zpty -r -m shell said '*ready*' || exit 1
            for begun in 'inspect doct' 'inspect start --drain' 'inspect config sh'; do
                zpty -w -n shell "$begun"$'\t\x18'
                zpty -r -m shell said '*<inspect *>*' || exit 1
                print -r -- "${${said##*<}%%>*}"
            done
            """#,
            to: "completes.zsh"
        )
        let completed = try await run("zsh", ["-f", script, advice, directory.file("zcompdump")])
        let lines = completed.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines == ["inspect doctor", "inspect start --drain-seconds", "inspect config show"], "\(completed)")
    }

    @Test("What is no shell of these is refused")
    func others() async throws {
        #expect(try await RunningInspect.run(["completions", "tcsh"], in: directory).status == 2)
    }
}
