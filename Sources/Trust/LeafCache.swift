import Foundation
import Synchronization

/// Remembers leaves by the whole canonical name, at most `capacity` of them, and mints each once.
///
/// `Leaf` is what a leaf is to the caller: the certificate itself, or what is made from it at some cost, such as
/// a TLS context. Any thread or event loop may call.
///
/// There are two kinds of lock. The table's is held for a lookup or an insertion, nothing more, so a known name never waits for a
/// mint. Minting happens under one of 64 locks chosen by the name: concurrent hellos for one name queue there, and all but
/// the first find the leaf in the table. Two different names share a lock once in 64 and then wait for one mint, a fraction of a
/// millisecond. In-flight entries with waiters would save that at the price of promises, whose type the caller's event
/// loop would have to prescribe.
package final class LeafCache<Leaf: Sendable>: Sendable {
    private struct Entry {
        let certificate: LeafCertificate
        let leaf: Leaf
    }

    private struct Table {
        var entries: RecentlyUsed<ServerName, Entry>
        var minted = 0
    }

    /// A mutex in an object of its own, because arrays hold only what can be copied.
    private final class MintLock: Sendable {
        let mutex = Mutex(())
    }

    private let authority: CertificateAuthority
    private let prepare: @Sendable (LeafCertificate) throws -> Leaf
    private let table: Mutex<Table>
    private let mintLocks: [MintLock]

    /// A leaf that ends sooner than this is minted anew, since a connection may well last a day.
    private let renewalMargin: TimeInterval = 24 * 3_600

    /// Makes an empty cache; `prepare` runs once for every minted leaf, on the thread that asked for it.
    package init(
        authority: CertificateAuthority,
        capacity: Int = 1_000,
        prepare: @escaping @Sendable (LeafCertificate) throws -> Leaf
    ) {
        self.authority = authority
        self.prepare = prepare
        table = Mutex(Table(entries: RecentlyUsed(capacity: capacity)))
        mintLocks = (0..<64).map { _ in MintLock() }
    }

    /// How many leaves are held.
    package var count: Int { table.withLock { $0.entries.count } }
    /// How many leaves were minted so far.
    package var mintCount: Int { table.withLock { $0.minted } }

    /// The leaf for `name`, minted now when none is held or the one held is about to expire.
    ///
    /// Throws what `CertificateAuthority.leaf(for:)` and `prepare` throw; nothing is remembered then.
    package func leaf(for name: ServerName) throws -> Leaf {
        if let leaf = held(name) { return leaf }
        return try mintLock(for: name).mutex.withLock { _ in
            if let leaf = held(name) { return leaf }
            let certificate = try authority.leaf(for: name)
            let entry = Entry(certificate: certificate, leaf: try prepare(certificate))
            table.withLock { table in
                table.entries.insert(entry, for: name)
                table.minted += 1
            }
            return entry.leaf
        }
    }

    /// The leaf in the table, if it is for this very name and has time left.
    package func held(_ name: ServerName) -> Leaf? {
        guard let entry = table.withLock({ $0.entries.value(for: name) }) else { return nil }
        // The key is equal already. The name is compared all the same: a wrong certificate must be impossible, not unlikely.
        guard entry.certificate.name == name,
            entry.certificate.isValid(at: authority.now(), margin: renewalMargin)
        else { return nil }
        return entry.leaf
    }

    private func mintLock(for name: ServerName) -> MintLock {
        mintLocks[Int(UInt(bitPattern: name.hashValue) % UInt(mintLocks.count))]
    }
}

extension LeafCache where Leaf == LeafCertificate {
    /// Makes an empty cache of the certificates themselves.
    package convenience init(authority: CertificateAuthority, capacity: Int = 1_000) {
        self.init(authority: authority, capacity: capacity) { $0 }
    }
}
