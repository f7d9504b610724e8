import Foundation
import Support
import SwiftASN1
import Synchronization
import Testing
import Trust
import X509

@Suite(.timeLimit(.minutes(15)))
struct LeafCacheTests {
    /// A clock that the test sets.
    private final class SetClock: Sendable {
        private let moment = Mutex(Date())
        var now: Date { moment.withLock { $0 } }
        func advance(_ seconds: TimeInterval) { moment.withLock { $0 = $0.addingTimeInterval(seconds) } }
    }

    private func cache(capacity: Int = 1_000, clock: SetClock = SetClock()) throws -> LeafCache<LeafCertificate> {
        let root = try RootCertificate(newOn: "host", now: clock.now)
        return LeafCache(authority: try CertificateAuthority(root: root, now: { clock.now }), capacity: capacity)
    }

    @Test("1,000 concurrent hellos for one name mint once and all get that leaf")
    func concurrentHellos() async throws {
        let cache = try cache()
        let name = try ServerName("one.example.test")
        let leaves = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<1_000 { group.addTask { try cache.leaf(for: name).der } }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(leaves.count == 1)
        #expect(cache.mintCount == 1)
    }

    @Test("Concurrent hellos for many names mint each once")
    func concurrentNames() async throws {
        let cache = try cache()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<2_000 {
                group.addTask {
                    let name = try ServerName("h\(index % 50).example.test")
                    #expect(try cache.leaf(for: name).name == name)
                }
            }
            try await group.waitForAll()
        }
        #expect(cache.mintCount == 50)
        #expect(cache.count == 50)
    }

    @Test("Spellings of one name share a leaf; preparing happens once a leaf")
    func spellings() throws {
        let prepared = Mutex(0)
        let root = try RootCertificate(newOn: "host", now: Date())
        let cache = LeafCache(authority: try CertificateAuthority(root: root, now: { Date() })) { leaf in
            prepared.withLock { $0 += 1 }
            return leaf.name.text
        }
        for name in ["a.test", "A.test", "a.test."] { #expect(try cache.leaf(for: ServerName(name)) == "a.test") }
        #expect(prepared.withLock { $0 } == 1)
    }

    @Test("At the limit the name longest unused goes")
    func limit() throws {
        let cache = try cache(capacity: 3)
        func ask(_ name: String) throws { _ = try cache.leaf(for: ServerName(name)) }
        for name in ["a.test", "b.test", "c.test", "a.test", "d.test"] { try ask(name) }
        #expect(cache.count == 3)
        #expect(cache.mintCount == 4)
        for name in ["a.test", "c.test", "d.test"] { try ask(name) }
        #expect(cache.mintCount == 4, "a, c and d were still held")
        try ask("b.test")
        #expect(cache.mintCount == 5, "b had gone")
        #expect(cache.count == 3)
    }

    @Test("The order of use is that of a plain list, over random steps")
    func orderOfUse() throws {
        var random = SeededGenerator(seed: 2)
        let cache = try cache(capacity: 8)
        let names = try (0..<16).map { try ServerName("h\($0).test") }
        var model: [(key: Int, der: [UInt8])] = []  // oldest first
        for _ in 0..<2_000 {
            let key = Int.random(in: 0..<16, using: &random)
            let place = model.firstIndex { $0.key == key }
            if Bool.random(using: &random) {
                // What is only looked for counts as used, where it is held.
                #expect(cache.held(names[key])?.der == place.map { model[$0].der })
                if let place { model.append(model.remove(at: place)) }
            } else {
                let mintCount = cache.mintCount
                let der = try cache.leaf(for: names[key]).der
                #expect(cache.mintCount == mintCount + (place == nil ? 1 : 0))
                if let place { #expect(model.remove(at: place).der == der) }
                model.append((key, der))
                if model.count > 8 { model.removeFirst() }
            }
            #expect(cache.count == model.count)
        }
    }

    @Test("A leaf is minted anew a day before its end, and when the clock has gone back before its beginning")
    func renewal() throws {
        let clock = SetClock()
        let cache = try cache(clock: clock)
        let name = try ServerName("a.test")
        let first = try cache.leaf(for: name)
        clock.advance(first.notAfter.timeIntervalSince(clock.now) - 24 * 3_600 - 1)
        #expect(try cache.leaf(for: name).der == first.der)
        clock.advance(1)
        let second = try cache.leaf(for: name)
        #expect(second.der != first.der)
        #expect(second.notAfter > first.notAfter)
        #expect(cache.count == 1)
        clock.advance(-30 * 86_400)
        #expect(try cache.leaf(for: name).notBefore < clock.now)
        #expect(cache.mintCount == 3)
    }

    @Test("A failure to prepare is thrown and not remembered")
    func failure() throws {
        struct Refusal: Error {}
        let failures = Mutex(1)
        let root = try RootCertificate(newOn: "host", now: Date())
        let cache = LeafCache(authority: try CertificateAuthority(root: root, now: { Date() })) { leaf in
            let fails = failures.withLock { left in
                defer { left -= 1 }
                return left > 0
            }
            if fails { throw Refusal() }
            return leaf
        }
        let name = try ServerName("a.test")
        #expect(throws: Refusal.self) { try cache.leaf(for: name) }
        #expect(cache.count == 0)
        #expect(try cache.leaf(for: name).name == name)
    }

    @Test("Among random names, twice as many as are held, no leaf is another's")
    func noMismatch() throws { try expectNoMismatch(names: 2_000, seed: 1) }

    /// Asks for random names, known and new, and looks into each leaf.
    func expectNoMismatch(names count: Int, seed: UInt64) throws {
        let cache = try cache()
        var random = SeededGenerator(seed: seed)
        var names: [ServerName] = []
        for step in 0..<count {
            if !names.isEmpty, step % 4 == 0, let known = names.suffix(1_500).randomElement(using: &random) {
                names.append(known)
            } else {
                names.append(try randomName(&random))
            }
            let name = names[step]
            let leaf = try cache.leaf(for: name)
            let held = try Certificate(derEncoded: leaf.der).extensions.subjectAlternativeNames.map(Array.init) ?? []
            let expected: GeneralName =
                switch name.kind {
                case .dns: .dnsName(name.text)
                case .address(let bytes): .ipAddress(.init(contentBytes: bytes[...]))
                }
            guard held == [expected] else {
                Issue.record("seed \(seed): \(name) was given a leaf for \(held)")
                return
            }
        }
        #expect(cache.count == 1_000)
        #expect(cache.mintCount < count)
    }

    private func randomName(_ random: inout SeededGenerator) throws -> ServerName {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return try ServerName(
                (0..<4).map { _ in String(UInt8.random(in: 0...255, using: &random)) }.joined(separator: ".")
            )
        case 1:
            return try ServerName(
                (0..<8).map { _ in String(UInt16.random(in: 0...65_535, using: &random), radix: 16) }
                    .joined(separator: ":")
            )
        default:
            let letters = Array("abcdefghijklmnopqrstuvwxyz")
            let label = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? "a"
            }
            return try ServerName(String(label) + ".example.test")
        }
    }
}
