package import NIOCore

/// The body of a response on which faults lie: changes bytes of it, and says where it breaks off.
package struct FailingBody: Sendable {
    /// How a body breaks off.
    package enum End: Hashable, Sendable {
        case cut, reset
    }

    /// A fault with the rule that it is of.
    package struct Part: Sendable {
        package let fault: ResponseFault
        package let rule: String
        /// The time of the rule's that it is of: how often that has applied.
        var number: Int64 = 0
        /// Whether it has happened.
        package var isDone = false
    }

    package private(set) var parts: [Part]
    /// Bytes that came.
    private var count: Int64 = 0

    package init(_ parts: [Part] = []) { self.parts = parts }

    /// Adds the faults of other rules.
    package mutating func add(_ more: [Part]) { parts += more }

    /// Takes the first fault of a kind that has not happened yet; it counts as done.
    package mutating func takeFirst(where isWanted: (ResponseFault.Kind) -> Bool) -> Part? {
        guard let index = parts.firstIndex(where: { !$0.isDone && isWanted($0.fault.kind) }) else { return nil }
        parts[index].isDone = true
        return parts[index]
    }

    /// Has those faults happen that would happen to a response with a body of so many bytes.
    mutating func pass(_ length: Int64) {
        guard takeFirst(where: { $0 == .statusOnly || $0 == .reset(at: nil) }) == nil else { return }
        _ = takeFirst { if case .badLength = $0 { true } else { false } }
        var end: (place: Int64, index: Int)?
        for (index, part) in parts.enumerated() {
            switch part.fault.kind {
            case .cut(let place), .reset(let place?):
                if place < end?.place ?? length { end = (place, index) }
            default: break
            }
        }
        let stop = end?.place ?? length
        for (index, part) in parts.enumerated() where !part.isDone {
            switch part.fault.kind {
            case .stall(let place, _), .corrupt(let place): parts[index].isDone = place < stop
            case .drip: parts[index].isDone = length > 0
            case .cut, .reset: parts[index].isDone = index == end?.index
            case .statusOnly, .badLength: break
            }
        }
    }

    /// Takes the next bytes of the body, and leaves those that go on.
    ///
    /// - Parameter bytes: the bytes, of which none are left behind the place where the body breaks off.
    /// - Returns: how it breaks off, and the rule by which; `nil` where it goes on.
    package mutating func take(_ bytes: inout ByteBuffer) -> (end: End, part: Part)? {
        let (start, length) = (count, Int64(bytes.readableBytes))
        count += length
        var end: (place: Int64, index: Int)?
        for (index, part) in parts.enumerated() {
            switch part.fault.kind {
            case .cut(let place), .reset(let place?):
                // A body that ends there is whole.
                if place < count, place < end?.place ?? .max { end = (place, index) }
            case .stall(let place, _): if place < count { parts[index].isDone = true }
            case .drip: if length > 0 { parts[index].isDone = true }
            case .corrupt, .statusOnly, .badLength, .reset(nil): break
            }
        }
        let stop = max(start, min(count, end?.place ?? .max))
        for (index, part) in parts.enumerated() {
            guard case .corrupt(let place) = part.fault.kind, (start..<stop).contains(place) else { continue }
            let position = bytes.readerIndex + Int(place - start)
            guard let byte: UInt8 = bytes.getInteger(at: position) else { continue }
            bytes.setInteger(~byte, at: position)
            parts[index].isDone = true
        }
        guard let end else { return nil }
        bytes = bytes.getSlice(at: bytes.readerIndex, length: Int(stop - start)) ?? ByteBuffer()
        parts[end.index].isDone = true
        let part = parts[end.index]
        if case .cut = part.fault.kind { return (.cut, part) }
        return (.reset, part)
    }
}
