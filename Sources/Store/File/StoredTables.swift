import GRDB

/// The tables in a file, held against those that a store has.
///
/// SQLite runs what a schema holds: a trigger with a change, a view or a computed column with a question. A file may come from a stranger. So a store
/// is used only where its schema is the tables that we made, in this version or an earlier one. Plain tables may stand beside them, as SQLite's own
/// tools leave some, and plain indices may be laid on them: nothing in those is computed.
enum StoredTables {
    /// A table as the statement that makes it says, byte by byte: some characters beyond ASCII count as equal to others.
    private struct Definition {
        let name: String
        /// What stands around the columns: `CREATE TABLE name`, and what follows them.
        private let frame: [UInt8]
        private let columns: Set<[UInt8]>
        /// Whether nothing but `CREATE TABLE` and a name stands around the columns.
        private let isBareTable: Bool
        /// Whether something that may be an expression stands in brackets.
        private let hasExpressions: Bool

        /// Reads a statement; `nil` where there are no columns.
        init?(_ sql: [UInt8]) {
            guard let open = sql.firstIndex(of: UInt8(ascii: "(")), let close = sql.lastIndex(of: UInt8(ascii: ")")),
                open < close
            else { return nil }
            let inner = sql[open + 1..<close]
            frame = Definition.spaced(sql[..<open] + [0x20] + sql[(close + 1)...])
            columns = Set(inner.split(separator: UInt8(ascii: ",")).map(Definition.spaced))
            hasExpressions = !PlainSchema.holdsNoExpression(inner)
            let words = frame.split(separator: 0x20, maxSplits: 2)
            guard words.count > 2, let word = words[2].split(separator: 0x20).first else { return nil }
            name = String(decoding: word, as: UTF8.self)
            isBareTable =
                words[0].elementsEqual("CREATE".utf8) && words[1].elementsEqual("TABLE".utf8)
                && (!words[2].contains(0x20) || PlainSchema.isName(words[2]))
        }

        /// The words of a text with one blank between them.
        private static func spaced(_ text: ArraySlice<UInt8>) -> [UInt8] {
            Array(text.split { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }.joined(separator: [0x20]))
        }

        /// Whether nothing in the table is computed or checked.
        var isPlain: Bool { isBareTable && !hasExpressions }

        /// Whether another is the same table, in any order of its columns; where it is `earlier`, columns may be missing.
        func agrees(with other: Definition, isEarlier: Bool) -> Bool {
            frame == other.frame && (isEarlier ? other.columns.isSubset(of: columns) : other.columns == columns)
        }
    }

    /// The tables of a store, by name.
    private static let expected = Dictionary(
        Schema.tables.compactMap { Definition(Array($0.utf8)) }.map { ($0.name, $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// Refuses a file whose schema is not that of a store.
    ///
    /// - Parameters:
    ///   - db: the file, of whose rows none was read.
    ///   - path: the file's.
    ///   - isEarlier: whether the file is of an earlier version, in which tables and columns may be missing.
    /// - Throws: `StoreError.altered`.
    static func check(in db: Database, path: String, isEarlier: Bool) throws {
        var missing = Set(expected.keys)
        var row = try RawStatement("SELECT type, sql IS NULL, name, sql FROM sqlite_master", on: db)
        defer { row.reset() }
        while try row.step() {
            let (type, isAutomatic) = (row.text() ?? "", row.integer() == 1)
            let (name, sql) = (PlainSchema.naming(row.text() ?? ""), row.bytes())
            // SQLite keeps the keys of some tables in indices of its own, which no statement makes.
            if type == "index", isAutomatic || PlainSchema.isPlainIndex(sql) { continue }
            guard type == "table" else {
                let kind = ["index": "an index", "view": "a view", "trigger": "a trigger"][type] ?? "something unknown"
                throw StoreError.altered(path: path, "it has \(kind)\(name)")
            }
            let table = Definition(sql)
            guard let table, let known = expected[table.name] else {
                if table?.isPlain == true { continue }
                throw StoreError.altered(path: path, "it has another table\(name), which is not a plain one")
            }
            guard known.agrees(with: table, isEarlier: isEarlier) else {
                throw StoreError.altered(path: path, "its table \(known.name) is another")
            }
            missing.remove(known.name)
        }
        guard let name = missing.min(), !isEarlier else { return }
        throw StoreError.altered(path: path, "its table \(name) is missing")
    }
}
