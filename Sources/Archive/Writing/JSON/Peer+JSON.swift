import Traffic

extension Peer {
    /// Writes the program at the other end as members of the connection's object; nothing where it is not known.
    func writeOrigin(to json: inout JSONWriter) {
        if let process {
            json.object("process") { json in
                if process.id > 0 { json.integer("pid", Int64(process.id)) }
                json.string("name", process.name)
            }
        }
        if let hello { json.string("ja4", hello) }
        if let runtime { json.string("looksLike", runtime.rawValue) }
    }
}

extension ArchiveFields {
    /// The program of a connection, as `writeOrigin` writes it.
    static func process(_ value: JSONValue?) -> LocalProcess? {
        guard let name = value?["name"]?.string, !name.isEmpty else { return nil }
        return LocalProcess(id: value?["pid"]?.integer.flatMap { Int32(exactly: $0) } ?? 0, name: name)
    }
}
