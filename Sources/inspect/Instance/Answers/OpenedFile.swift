import CoreFoundation
import Foundation
import Traffic

/// A regular file that is open for reading; it is closed with the value.
final class OpenedFile: Sendable {
    let descriptor: Int32
    /// Bytes of the file when it was opened.
    let length: Int
    /// What tells clients what the file is and which state of it they get.
    let fields: [HeaderList.Field]

    /// Opens a file.
    ///
    /// - Throws: `RuleFault` when it cannot be read, or is no regular file.
    init(_ path: String) throws(RuleFault) {
        // Without waiting for whoever would write into a pipe of that name.
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            throw RuleFault("the file \(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw RuleFault("\(path) is no file")
        }
        descriptor = opened
        length = Int(status.st_size)
        #if canImport(Darwin)
        let changed = status.st_mtimespec
        #else
        let changed = status.st_mtim
        #endif
        let tag = "\"\(String(length, radix: 16))-\(changed.tv_sec)-\(changed.tv_nsec)\""
        fields = [
            HeaderList.Field(name: "Content-Type", value: FileType.of(path)),
            HeaderList.Field(name: "ETag", value: tag),
            HeaderList.Field(name: "Accept-Ranges", value: "bytes"),
        ]
    }

    deinit { close(descriptor) }

    /// Reads bytes; fewer only at the file's end.
    ///
    /// - Throws: what the system says.
    func read(at offset: Int, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read = bytes[filled...].withUnsafeMutableBytes { room in
                pread(descriptor, room.baseAddress, room.count, off_t(offset + filled))
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw RuleFault(String(cString: strerror(errno))) }
            if read == 0 { break }
            filled += read
        }
        return Array(bytes.prefix(filled))
    }
}
