import Foundation
import Support

/// The runtimes that people have, each asking by HTTPS as it does by default.
enum RuntimePrograms {
    /// Names, and the command for an address; `$DIR` has the programs that are written here.
    private static let commands: [(name: String, command: @Sendable (String) -> String)] = [
        ("curl", { "curl -sSf \($0)" }),
        ("wget", { "wget -q -O - \($0)" }),
        ("git", { "git ls-remote \($0)" }),
        ("requests", { "$PYTHON -c 'import requests; requests.get(\"\($0)\").raise_for_status()'" }),
        ("httpx", { "$PYTHON -c 'import httpx; httpx.get(\"\($0)\").raise_for_status()'" }),
        ("urllib", { "$PYTHON -c 'import urllib.request; urllib.request.urlopen(\"\($0)\").read()'" }),
        ("node-https", { "node -e 'require(\"https\").get(\"\($0)\", (answer) => answer.resume())'" }),
        ("node-fetch", { "node -e 'fetch(\"\($0)\").then((answer) => answer.text())'" }),
        ("java", { "java $DIR/Get.java \($0)" }),
        ("go", { "$DIR/get \($0)" }),
    ]

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
        let source = try directory.write(
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
            to: "get.go"
        )
        let built = try await CommandLineTool.run(
            "go",
            ["build", "-o", directory.file("get"), source],
            environment: ["GOCACHE": directory.file("go"), "HOME": directory.path],
            within: .seconds(180)
        )
        guard built.status == 0 else { throw Unexpected("go build: \(built.errors)") }
    }
}
