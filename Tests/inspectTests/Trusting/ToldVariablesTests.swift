import ArgumentParser
import Foundation
import Support
import Testing
import Traffic
import Trust
import Web

@testable import ProgramTests
@testable import inspect

/// Every place that tells clients of the proxy and of the root, beside the one table.
@Suite(.timeLimit(.minutes(15))) struct ToldVariablesTests {
    private let files = TrustFiles(directory: "/ca")

    /// The variables of commands, each with what it is set to.
    private func exported(_ commands: [String]) -> [String: String] {
        let pairs = commands.flatMap { $0.matches(of: /export (\w+)=([^;`]*)/) }
            .map { (String($0.output.1), String($0.output.2)) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// What the table has some variables hold.
    private func wanted(root: String, bundle: String, of recipes: [ClientRecipe]) -> [String: String] {
        let variables = recipes.flatMap(\.roots).filter(\.content.isRootFile)
        return Dictionary(variables.map { ($0.name, $0.content == .bundle ? bundle : root) }) { first, _ in first }
    }

    @Test("A command of run has each variable of the table, and holds in it what the table says")
    func ofRun() throws {
        let directory = try TemporaryDirectory()
        let authority = try CAOptions.parse(["--ca-directory", directory.file("ca")])
        let trust = try ClientTrust(authority: authority, environment: ["HOME": directory.path])
        let place = ProxyPlace(host: "127.0.0.1", port: 9, credentials: nil)
        let told = ClientEnvironment(place: place, trust: trust, environment: [:]).variables
        #expect(told.map(\.name) == ClientRecipe.variables.map(\.name))
        for (variable, recipe) in zip(told, ClientRecipe.variables) {
            switch recipe.content {
            case .proxy: #expect(variable.value == "http://127.0.0.1:9")
            case .text(let text): #expect(variable.value == text)
            case .bundle: #expect(variable.value == directory.file("ca/clients/bundle.pem"))
            case .root: #expect(variable.value == directory.file("ca/root.pem"))
            case .nodePreload: #expect(variable.value.contains(trust.nodePath))
            case .javaOptions: #expect(variable.value.contains(trust.javaPath))
            case .wgetFile: #expect(variable.value == trust.wgetPath)
            }
        }
    }

    @Test("The guide tells what the table says, and doctor looks at each variable that names a file of roots")
    func ofGuideAndDoctor() throws {
        let guide = TrustGuide(root: try RootCertificate(newOn: "host", now: Date()), files: files)
        #expect(
            exported(guide.sections.flatMap(\.commands))
                == wanted(root: "/ca/root.pem", bundle: "/ca/clients/bundle.pem", of: [.curl, .python, .node])
        )
        let names = ClientRecipe.rootVariables.map(\.name)
        let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "/no/such.pem") })
        let places = Doctor.Places(storePath: "/no/captures.db", files: files)
        let doctor = Doctor(places: places, environment: environment, now: Date())
        #expect(
            doctor.variables(nil).map(\.problem)
                == ["\(names.joined(separator: ", ")) name /no/such.pem, which cannot be read"]
        )
    }

    @Test("The page is told every variable of the table that it can be told, and the device page its own files")
    func ofPages() throws {
        let told = InstanceInformation.everyClient.flatMap(\.variables)
        let possible = ClientRecipe.variables.filter { !$0.content.isOfRun }
        #expect(Set(told.map(\.name)) == Set(possible.map(\.name)))
        for variable in told {
            let content = possible.first { $0.name == variable.name }?.content
            let isSame =
                switch variable.content {
                case .proxy: content == .proxy
                case .bundle: content == .bundle
                case .root: content == .root
                case .text(let text): content == .text(text)
                }
            #expect(isSame, "\(variable.name)")
        }
        let proxy = Endpoint(host: "192.0.2.7", port: 9_090)
        let guide = DeviceGuide(proxy: proxy, systemFileName: "inspect-root.crt", isProxied: false)
        #expect(
            exported(guide.platforms.flatMap(\.steps).map(\.text))
                == wanted(
                    root: "\"$PWD/ca.pem\"",
                    bundle: "/etc/ssl/certs/ca-certificates.crt",
                    of: ClientRecipe.all.filter(\.ignoresSystem)
                )
        )
    }

    @Test("No other source names a variable of the table that names a file of roots")
    func isOnly() throws {
        let sources = Readme.root.appending(path: "Sources")
        let names = ClientRecipe.rootVariables.map(\.name)
        // The roots that a user names already.
        let allowed = ["Trust/ClientRecipe+All.swift", "inspect/Commands/Proxy/Run/ClientTrust.swift"]
        let paths = (FileManager.default.enumerator(atPath: sources.path)?.allObjects as? [String] ?? [])
            .filter { ($0.hasSuffix(".swift") || $0.hasSuffix(".js")) && !allowed.contains($0) }
        #expect(paths.count > 500)
        for path in paths {
            let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
            for name in names { #expect(!text.contains(name), "\(path) names \(name)") }
        }
    }
}
