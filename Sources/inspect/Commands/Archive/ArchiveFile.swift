import Foundation
import NIOCore
import Synchronization

/// An archive on the disk or on standard input (`-`), read piece by piece; the terminal shows how far the reading is.
final class ArchiveFile: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    /// Bytes read at a time.
    private static let pieceBytes = 256 << 10

    /// The file's name without its folders.
    let name: String
    /// Its length; `nil` where it is no plain file.
    let size: Int64?
    private let descriptor: Int32
    private let progress: Progress
    private let offset = Mutex<Int64>(0)

    /// - Parameters:
    ///   - path: the file's, or `-`.
    ///   - progress: shows how far the reading is.
    /// - Throws: `InputError` when it cannot be read.
    init(_ path: String, progress: Progress) throws {
        self.progress = progress
        guard path != "-" else {
            (name, size, descriptor) = ("standard input", nil, dup(STDIN_FILENO))
            return
        }
        name = URL(fileURLWithPath: path).lastPathComponent
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputError("cannot read \(path): \(String(cString: strerror(errno)))") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw InputError("cannot read \(path): it is a directory")
        }
        size = status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    }

    deinit { close(descriptor) }

    /// The next bytes; empty at the end.
    ///
    /// - Throws: `InputError` when they cannot be read or a person has pressed Ctrl-C.
    func next() throws -> [UInt8] {
        if progress.isInterrupted { throw Interrupted() }
        var bytes = [UInt8](repeating: 0, count: ArchiveFile.pieceBytes)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw InputError("cannot read \(name): \(String(cString: strerror(errno)))") }
            bytes.removeLast(bytes.count - count)
            let place = offset.withLock { offset in
                offset += Int64(count)
                return offset
            }
            progress.tell(place, of: size, "\(name)")
            return bytes
        }
    }

    /// Ctrl-C was pressed.
    struct Interrupted: Error {}

    func makeAsyncIterator() -> Iterator { Iterator(file: self) }

    /// Reads the pieces in their order.
    struct Iterator: AsyncIteratorProtocol {
        let file: ArchiveFile

        mutating func next() async throws -> ByteBuffer? {
            let bytes = try file.next()
            return bytes.isEmpty ? nil : ByteBuffer(bytes: bytes)
        }
    }
}
