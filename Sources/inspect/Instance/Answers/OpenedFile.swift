import CoreFoundation
import Foundation
import Traffic

/// A regular file that is open for reading; it is closed with the value.
final class OpenedFile: Sendable {
    /// How files are opened: without waiting for whoever would write into a pipe of that name.
    static let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK

    let descriptor: Int32
    /// Bytes of the file when it was opened.
    let length: Int
    /// What tells clients what the file is and which state of it they get.
    let fields: [HeaderList.Field]

    /// Opens a file.
    ///
    /// - Throws: `RuleFault` when it cannot be read, or is no regular file.
    convenience init(_ path: String) throws(RuleFault) {
        let opened = open(path, OpenedFile.flags)
        guard opened >= 0 else {
            throw RuleFault("the file \(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        try self.init(taking: opened, path: path)
    }

    /// Takes a file that is open.
    ///
    /// - Parameters:
    ///   - descriptor: is closed with the value, and when this fails.
    ///   - path: its name, which tells its media type.
    /// - Throws: `RuleFault` when it is no regular file.
    init(taking descriptor: Int32, path: String) throws(RuleFault) {
        guard let status = FileStatus(of: descriptor), status.isRegular else {
            close(descriptor)
            throw RuleFault("\(path) is no file")
        }
        self.descriptor = descriptor
        length = status.length
        let (seconds, rest) = status.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        fields = [
            HeaderList.Field(name: "Content-Type", value: FileType.of(path)),
            HeaderList.Field(name: "ETag", value: "\"\(String(length, radix: 16))-\(seconds)-\(rest)\""),
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
