import Foundation
import Support
import Testing
import Traffic

@testable import inspect

/// The network services of macOS, by a program that stands in for `networksetup` and keeps what it is told in files beside it.
@Suite(.timeLimit(.minutes(15))) struct NetworkProxyTests {
    private static let standIn = #"""
        #!/bin/bash
        # networksetup, as far as its manual tells.
        d=$(dirname "$0")/state; mkdir -p "$d"; echo "$*" >> "$d/calls"
        f="$d/$2.${1#-[gs]et}"; f=${f// /_}; f=${f%state}
        gone=$(cat "$d/gone" 2> /dev/null)
        if [ -n "$gone" ] && [ "$2" = "$gone" ]; then echo "$2 is not a recognized network service."; exit 4; fi
        if [ -e "$d/broken" ] && [ "$2" = Wi-Fi ]; then exit 5; fi
        show() { [ -e "$f" ] && cat "$f" || printf 'Enabled: No\nServer: \nPort: 0\nAuthenticated Proxy Enabled: 0\n'; }
        case $1 in
        -listallnetworkservices) printf 'An asterisk (*) denotes that a network service is disabled.\nWi-Fi\n*Old\nThunderbolt Bridge\n' | grep -vx -- "${gone:-none}" ;;
        -getautoproxyurl) [ -e "$f" ] && cat "$f" || printf 'URL: (null)\nEnabled: No\n' ;;
        -get*) show ;;
        -setautoproxyurl) printf 'URL: %s\nEnabled: Yes\n' "$3" > "$f" ;;
        -setautoproxystate) f=${f%state}; f=${f/autoproxy/autoproxyurl}; f=${f/urlurl/url}; sed -i 's/^Enabled: .*/Enabled: No/' "$f" ;;
        -set*state) show > "$f.new"; sed -i 's/^Enabled: .*/Enabled: No/' "$f.new"; mv "$f.new" "$f" ;;
        -set*) printf 'Enabled: Yes\nServer: %s\nPort: %s\nAuthenticated Proxy Enabled: 0\n' "$3" "$4" > "$f" ;;
        esac
        """#

    private static let bridge = SystemSetting.network(service: "Thunderbolt Bridge", kind: .web)
    private static let wireless = SystemSetting.network(service: "Wi-Fi", kind: .web)

    private let directory: TemporaryDirectory
    private let system: SystemProxy
    private let proxy = Endpoint(host: "127.0.0.1", port: 9_090)

    init() throws {
        directory = try TemporaryDirectory()
        let tool = try directory.write(Self.standIn, to: "networksetup")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
        let tools = SystemTools(environment: ["PATH": directory.path], home: directory.path)
        system = SystemProxy(tools: tools, path: directory.file("system-proxy.json"))
    }

    /// What all network services are set to.
    private var plan: SystemProxyPlan {
        get throws { try SystemProxyPlan(proxy: proxy, isAutomatic: false, kinds: nil, tools: system.tools) }
    }

    /// The lines of the status.
    private var status: [String] {
        get throws { SystemProxyStatusReport(status: try system.status()).lines(in: .plain) }
    }

    private func value(_ setting: SystemSetting) throws -> String? { try setting.value(system.tools) }
    private func setByHand(_ arguments: String...) throws { _ = try system.tools.networksetup().run(arguments) }

    @Test(
        "Every service that is on is set and put back, also one that had a proxy of its own; the file is the owner's alone"
    )
    func roundTrip() throws {
        try setByHand("-setwebproxy", "Thunderbolt Bridge", "old.test", "3128")
        func values() throws -> [String] {
            try ["Wi-Fi", "Thunderbolt Bridge"].flatMap { service in
                try NetworkProxyKind.allCases.map { try value(.network(service: service, kind: $0)) ?? "" }
            }
        }
        let before = try values()
        #expect(before == ["off", "off", "off", "on old.test 3128", "off", "off"])
        #expect(try plan.notes == ["macOS: Wi-Fi, Thunderbolt Bridge"])
        try system.on(plan, proxy: proxy, owner: .own)
        #expect(
            try values() == [
                "on 127.0.0.1 9090", "on 127.0.0.1 9090", "off", "on 127.0.0.1 9090", "on 127.0.0.1 9090", "off",
            ]
        )
        let mode = try FileManager.default.attributesOfItem(atPath: system.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try status.first == "on: 127.0.0.1:9090 of process \(getpid())")
        #expect(system.restoreLeftover().isEmpty, "its owner runs")
        #expect(system.release() == nil)
        // What was off is off again; networksetup has no word for taking a server's name away.
        let off = "off 127.0.0.1 9090"
        #expect(try values() == [off, off, "off", "on old.test 3128", off, "off"])
        #expect(!FileManager.default.fileExists(atPath: system.path))
        let script = try SystemProxyPlan(proxy: proxy, isAutomatic: true, kinds: nil, tools: system.tools)
        try system.on(script, proxy: proxy, owner: .own)
        #expect(try values()[2] == "on http://127.0.0.1:9090/proxy.pac")
        _ = try system.off()
        #expect(try values()[2].hasPrefix("off"))
    }

    @Test("What somebody else changed meanwhile stays, and is said; what cannot be set leaves nothing changed")
    func others() throws {
        try system.on(plan, proxy: proxy, owner: .own)
        try setByHand("-setwebproxy", "Wi-Fi", "mine.test", "1")
        let notes = try system.off()
        #expect(notes.contains("Wi-Fi webproxy was changed by somebody else meanwhile, and is left so"))
        #expect(try value(Self.wireless) == "on mine.test 1")

        // The last step names a folder that cannot be.
        let steps = try plan.steps + [.init(setting: .file(path: "/nowhere/at/all"), value: "x")]
        let broken = SystemProxyPlan(steps: steps, notes: [])
        let problem = #expect(throws: InputError.self) { try system.on(broken, proxy: proxy, owner: .own) }
        #expect(problem?.description.hasSuffix("; nothing stays changed") == true, "\(problem?.description ?? "")")
        #expect(try value(Self.wireless) == "on mine.test 1")
        #expect(!FileManager.default.fileExists(atPath: system.path))
    }

    @Test("Where what was set cannot be put back, the line says what stays changed, and another try puts it back")
    func stays() throws {
        let problem = #expect(throws: InputError.self) {
            try system.on(plan, proxy: proxy, owner: .own) {
                try directory.write("", to: "state/broken")
                return false
            }
        }
        let line = problem?.description ?? ""
        #expect(
            line.hasPrefix(
                "the proxy ended meanwhile; these settings may stay changed: Wi-Fi webproxy, Wi-Fi securewebproxy ("
            ),
            "\(line)"
        )
        #expect(line.hasSuffix("'inspect system-proxy off' tries again") && !line.contains("nothing stays"), "\(line)")
        #expect(try value(Self.bridge) == "off 127.0.0.1 9090")
        try FileManager.default.removeItem(atPath: directory.file("state/broken"))
        #expect(try value(Self.wireless) == "on 127.0.0.1 9090")
        _ = try system.off()
        #expect(try value(Self.wireless) == "off 127.0.0.1 9090")
    }

    @Test("Where somebody else changed a setting before it is put back, the line says that it is left so")
    func between() throws {
        let problem = #expect(throws: InputError.self) {
            try system.on(plan, proxy: proxy, owner: .own) {
                try setByHand("-setwebproxy", "Wi-Fi", "mine.test", "1")
                return false
            }
        }
        #expect(
            problem?.description
                == "the proxy ended meanwhile; nothing stays changed; Wi-Fi webproxy was changed by somebody else meanwhile, and is left so"
        )
    }

    @Test("A setting that cannot be put back keeps no other from it, and is put back later")
    func broken() throws {
        try system.on(plan, proxy: proxy, owner: .own)
        try directory.write("", to: "state/broken")
        #expect(throws: InputError.self) { try system.off() }
        #expect(try value(Self.bridge) == "off 127.0.0.1 9090")
        #expect(try status.contains { $0.hasPrefix("  Wi-Fi webproxy: not known") })
        try FileManager.default.removeItem(atPath: directory.file("state/broken"))
        #expect(try value(Self.wireless) == "on 127.0.0.1 9090")
        #expect(system.release() == nil)
        #expect(try value(Self.wireless) == "off 127.0.0.1 9090")
        #expect(!FileManager.default.fileExists(atPath: system.path))
    }

    @Test("A network service that was taken away keeps no other from being put back")
    func gone() throws {
        try system.on(plan, proxy: proxy, owner: .own)
        try directory.write("Thunderbolt Bridge", to: "state/gone")
        #expect(try system.off().contains("Thunderbolt Bridge webproxy is there no more"))
        #expect(try value(Self.wireless) == "off 127.0.0.1 9090")
        #expect(!FileManager.default.fileExists(atPath: system.path))
    }

    @Test("What was changed is believed of a file of this user's only, which others may not write")
    func foreign() throws {
        let step = SystemProxyPlan.Step(setting: .file(path: directory.file("set")), value: "x")
        try system.on(SystemProxyPlan(steps: [step], notes: []), proxy: proxy, owner: .own)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: system.path)
        #expect(throws: InputError.self) { try system.off() }
        #expect(FileManager.default.fileExists(atPath: directory.file("set")))
        try FileManager.default.moveItem(atPath: system.path, toPath: directory.file("elsewhere"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: directory.file("elsewhere"))
        try FileManager.default.createSymbolicLink(
            atPath: system.path,
            withDestinationPath: directory.file("elsewhere")
        )
        #expect(throws: InputError.self) { try system.off() }
        let user = try ForeignOwner.give(directory.file("elsewhere"))
        #expect(throws: InputError.self) { try SystemProxyRecord.read(at: directory.file("elsewhere"), user: user) }
    }

    @Test("A file of environment variables comes with its folders and goes with them")
    func environmentFile() throws {
        let tools = SystemTools(environment: ["PATH": "/nowhere"], home: directory.path)
        let system = SystemProxy(tools: tools, path: directory.file("data/inspect/system-proxy.json"))
        let plan = try SystemProxyPlan(proxy: proxy, isAutomatic: false, kinds: nil, tools: tools)
        try system.on(plan, proxy: proxy, owner: .own)
        let text = String(decoding: try directory.read(".config/environment.d/90-inspect-proxy.conf"), as: UTF8.self)
        #expect(
            text.contains("\nhttps_proxy=http://127.0.0.1:9090\n")
                && text.contains("\nno_proxy=localhost,127.0.0.1,::1\n")
        )
        _ = try system.off()
        #expect(!FileManager.default.fileExists(atPath: directory.file(".config")))
        #expect(throws: InputError.self) {
            try SystemProxyPlan(proxy: proxy, isAutomatic: true, kinds: [.environment], tools: tools)
        }
        #expect(throws: InputError.self) {
            try SystemProxyPlan(proxy: proxy, isAutomatic: true, kinds: nil, tools: tools)
        }
    }

    @Test(
        "The commands of macOS",
        arguments: [
            (NetworkProxyKind.web, "on h 1", ["-setwebproxy Wi-Fi h 1"]),
            (.secureWeb, "off h 1", ["-setsecurewebproxy Wi-Fi h 1", "-setsecurewebproxystate Wi-Fi off"]),
            (.web, "off", ["-setwebproxystate Wi-Fi off"]),
            (.automatic, "on http://h/p", ["-setautoproxyurl Wi-Fi http://h/p"]),
            (.automatic, "off", ["-setautoproxystate Wi-Fi off"]),
        ]
    )
    func commands(_ kind: NetworkProxyKind, _ value: String, _ expected: [String]) {
        #expect(kind.arguments(for: "Wi-Fi", value: value).map { $0.joined(separator: " ") } == expected)
    }

    @Test("A process is told from a later one of its number")
    func marks() throws {
        #expect(ProcessMark.own.isRunning && ProcessMark.own == ProcessMark(pid: getpid()))
        let text = String(decoding: try JSONEncoder().encode(ProcessMark.own), as: UTF8.self)
        let other = text.replacing(#/"started":"[0-9]+/#, with: "\"started\":\"1")
        #expect(try JSONDecoder().decode(ProcessMark.self, from: Data(other.utf8)).isRunning == (other == text))
        #expect(!ProcessMark(pid: 0x3FFF_FFFF).isRunning)
    }
}
