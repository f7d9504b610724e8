import Testing
import Traffic
import Trust

@Suite("The table of how clients are told", .timeLimit(.minutes(15)))
struct ClientRecipeTests {
    @Test(
        "A variable whose file takes the place of a client's roots holds the bundle",
        arguments: [
            "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "GIT_SSL_CAINFO", "AWS_CA_BUNDLE",
            "CARGO_HTTP_CAINFO",
        ]
    )
    func replaces(name: String) throws {
        let recipe = try #require(ClientRecipe.all.first { $0.roots.contains { $0.name == name } })
        #expect(recipe.rootUse == .replaces)
        #expect(recipe.exports(root: "R", bundle: "B").contains("export \(name)=B"))
    }

    @Test(
        "A variable whose file comes on top of a client's roots holds our root",
        arguments: ["DENO_CERT", "NODE_EXTRA_CA_CERTS"]
    )
    func adds(name: String) throws {
        let recipe = try #require(ClientRecipe.all.first { $0.roots.contains { $0.name == name } })
        #expect(recipe.rootUse == .adds)
        #expect(recipe.exports(root: "R", bundle: "B") == ["export \(name)=R"])
    }

    @Test("What only run can set is in no command for a shell")
    func ofRun() {
        let ofRun = ClientRecipe.variables.filter(\.content.isOfRun)
        #expect(ofRun.map(\.name) == ["NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "WGETRC"])
        for recipe in [ClientRecipe.java, .wget] { #expect(recipe.exports(root: "R", bundle: "B") == []) }
    }

    @Test("A variable holds the same in every recipe, and a recipe has a name of its own")
    func isConsistent() {
        for variable in ClientRecipe.all.flatMap(\.variables) {
            let same = ClientRecipe.variables.filter { $0.name == variable.name }
            #expect(same == [variable], "\(variable.name)")
        }
        #expect(Set(ClientRecipe.all.map(\.name)).count == ClientRecipe.all.count)
        for recipe in ClientRecipe.all {
            #expect(!recipe.roots.isEmpty && recipe.note.hasSuffix("."), "\(recipe.name)")
        }
    }

    @Test(
        "A kind of program whose remedy is 'inspect run' has a recipe, and no other has",
        arguments: ClientRuntime.allCases
    )
    func remedies(runtime: ClientRuntime) {
        let remedy = TLSRemedy(
            ExchangeFailure(side: .client, phase: .tls, cause: .unknownCA, message: ""),
            host: "api.test",
            port: 443,
            client: TLSRemedy.Client(runtime: runtime, process: nil, address: "127.0.0.1:5")
        )
        let isRun = if case .run = remedy?.step { true } else { false }
        #expect(ClientRecipe.all.contains { $0.runtimes.contains(runtime) } == isRun, "\(runtime)")
    }
}
