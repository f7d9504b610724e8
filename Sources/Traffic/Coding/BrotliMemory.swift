import Foundation

/// The memory of one Brotli decoder, counted: its window grows with what is decoded, up to the 16 MiB that the stream may ask for.
final class BrotliMemory {
    /// Bytes before each block, which say how long it is; as many as keep it aligned for whatever it holds.
    private static let headerBytes = 16

    private(set) var heldBytes = 0

    /// The object behind the pointer that the library was given.
    static func of(_ pointer: UnsafeMutableRawPointer?) -> BrotliMemory? {
        pointer.map { Unmanaged<BrotliMemory>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Allocates a block of so many bytes; `nil` when there is no memory for it.
    func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        guard let start = malloc(count + Self.headerBytes) else { return nil }
        start.storeBytes(of: count, as: Int.self)
        heldBytes += count
        return start + Self.headerBytes
    }

    /// Frees a block; does nothing for `nil`.
    func giveBack(_ block: UnsafeMutableRawPointer?) {
        guard let block else { return }
        let start = block - Self.headerBytes
        heldBytes -= start.load(as: Int.self)
        free(start)
    }
}
