import ArgumentParser
import Testing

@testable import inspect

/// Every option of `start` has a place in the file and in the environment, by its declaration alone.
@Suite(.timeLimit(.minutes(15))) struct ConfigurableOptionTests {
    /// A value for each kind of value that `start` takes; an option of a new kind needs one here.
    private static let samples = [
        "n": "7", "preset": "slow-4g", "address": "::1", "mode": "socks5@1080", "user:password": "user:pass",
        "file": "/x.pem",
        "url": "http://proxy.test:3128", "host=file": "*.test=/x.pem", "host": "a.test",
        "host:port:addr[,addr]": "a.test:443:127.0.0.1", "size": "20MiB", "time": "3s", "age": "7d", "name": "ci",
        "path": "/s.db", "dir": "/ca", "seconds": "3", "format": "json", "level": "debug", "hosts": "a.test",
        "cidr": "192.0.2.0/24",
    ]

    private static func settings(_ words: [String]) throws -> String {
        var text = ""
        dump(try StartCommand.parse(words), to: &text)
        return text
    }

    @Test("What the file says of an option is what its flag says, for every option of start")
    func each() throws {
        let options = try ConfigurableOption.all(of: StartCommand.self)
        let standard = try Self.settings([])
        for option in options {
            let place = option.name
            let sample: String
            let flag: [String]
            switch option.kind {
            case .flag(let inverse):
                sample = inverse == nil ? "true" : "false"
                flag = ["--" + (inverse ?? option.name)]
            case .value, .list:
                sample = try #require(
                    Self.samples[option.information.valueName],
                    "\(place) takes a \(option.information.valueName)"
                )
                flag = ["--\(option.name)", sample]
            }
            // What an option needs beside it.
            let beside = option.name == "drop-marked" ? ["--keep-for", "7d"] : []
            let file = try ConfigurationFile(text: "\(option.name): \(quoted(sample))", path: "/c/config.yaml")
            let reading = file.read(file.entries, for: options, home: "/home")
            #expect(file.problems + reading.problems == [], "\(place)")
            let filed = try Self.settings(reading.values.flatMap(\.words) + beside)
            #expect(filed == (try Self.settings(flag + beside)), "\(place)")
            #expect(filed != (beside.isEmpty ? standard : try Self.settings(beside)), "\(place) changes nothing")

            // The words that the environment adds are those of the file; a list stands on lines of its own.
            let sources = try ConfigurationSources(
                commandLine: CommandLineWords([]),
                environment: [option.variable: sample, "HOME": "/dev/null"]
            )
            #expect(try sources.value(of: option)?.words == reading.values.flatMap(\.words), "\(option.variable)")
        }
    }

    private func quoted(_ sample: String) -> String { ["true", "false"].contains(sample) ? sample : "'\(sample)'" }

    @Test("No option of start's help page is left out of the file but those that make no sense there")
    func complete() throws {
        let page = StartCommand.helpMessage(columns: 200)
        let named = page.split(separator: "\n").flatMap { line -> [String] in
            // Options begin their line; those named in sentences are further in.
            guard line.prefix(while: { $0 == " " }).count <= 3, line.contains("--") else { return [] }
            return line.split(separator: "  ").first?.matches(of: /--([a-z][a-z0-9-]*)/).map { String($0.output.1) }
                ?? []
        }
        #expect(named.contains("port") && named.contains("no-match-protocols") && named.count > 30)
        let options = try ConfigurableOption.all(of: StartCommand.self)
        let missing = Set(named).filter { name in !options.contains { $0.isNamed(name) } }
        #expect(missing == ["help", "config"])
    }

    @Test("Every option has a default that can be shown, or none")
    func defaults() throws {
        let options = try ConfigurableOption.all(of: StartCommand.self)
        func standing(_ name: String) -> String? { options.first { $0.name == name }?.information.defaultValue }
        #expect(standing("port") == "9090" && standing("web-port") == "9091" && standing("listen") == "127.0.0.1")
        #expect(standing("header-limit") == "256KiB" && standing("idle-timeout") == "2m")
        #expect(standing("connection-limit") == "10000" && standing("decoded-limit") == "32MiB")
        #expect(standing("upstream-proxy") == nil && standing("pass-through") == nil)
        let limits = options.filter { $0.information.section == "Limits" }
        #expect(limits.count >= 13 && limits.allSatisfy { $0.information.defaultValue != nil })
    }

    @Test(
        "Files of a configuration file are relative to its directory",
        arguments: [
            ("upstream-ca", "roots.pem", "/c/roots.pem"), ("upstream-ca", "/roots.pem", "/roots.pem"),
            ("store", "~/s.db", "/home/s.db"), ("ca-directory", "~", "/home"),
            ("client-certificate", "*.test=own.pem", "*.test=/c/own.pem"), ("session", "a=b", "a=b"),
            ("store", "", ""),
        ]
    )
    func places(_ name: String, _ written: String, _ expected: String) throws {
        let option = try #require(try ConfigurableOption.all(of: StartCommand.self).first { $0.name == name })
        #expect(option.placed(written, in: "/c", home: "/home") == expected)
    }
}
