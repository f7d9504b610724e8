import GRDBSQLite

/// The first bytes of a database file (SQLite's file format, §1.3), read through SQLite's own files.
///
/// A file that a process has open in SQLite must not be opened beside it: closing any descriptor of a file takes away all the locks that the process
/// holds on it (POSIX, fcntl), SQLite's among them, and another process could then write where this one does. SQLite alone puts the closing off.
enum DatabaseHeader {
    /// Bytes of a header.
    static let count = 100

    /// The header, or what there is of it; `nil` when the file cannot be opened or read, and `errno` then says why.
    static func read(_ path: String) -> [UInt8]? {
        guard let system = sqlite3_vfs_find(nil), let open = system.pointee.xOpen,
            let name = sqlite3_create_filename(path, "", "", 0, nil)
        else { return nil }
        defer { sqlite3_free_filename(name) }
        let size = max(Int(system.pointee.szOsFile), MemoryLayout<sqlite3_file>.size)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        guard let file = memory.baseAddress?.bindMemory(to: sqlite3_file.self, capacity: 1) else { return nil }
        let isOpen = open(system, name, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, nil) == SQLITE_OK
        defer { if let methods = file.pointee.pMethods { _ = methods.pointee.xClose(file) } }
        guard isOpen, let methods = file.pointee.pMethods, let read = methods.pointee.xRead,
            let measure = methods.pointee.xFileSize
        else { return nil }
        var length: Int64 = 0
        var bytes = [UInt8](repeating: 0, count: count)
        guard measure(file, &length) == SQLITE_OK else { return nil }
        let code = read(file, &bytes, Int32(count), 0)
        guard code == SQLITE_OK || code == SQLITE_IOERR | 2 << 8 else { return nil }
        return Array(bytes.prefix(Int(clamping: length)))
    }
}
