import NIOCore
import Traffic

/// Reads the events of an event stream out of its bytes, however they are split, by the rules of HTML §9.2.6.
///
/// A line costs no more memory than is kept of it, whatever its length. Comments and reconnection times are skipped: they dispatch nothing.
struct EventStreamReader {
    private enum Field {
        case data, event, id
        /// `retry`, a comment, or a field that has no meaning.
        case other
    }

    /// The reader's place in a line.
    private enum Place {
        /// Before its first byte.
        case start
        /// Within a field's name.
        case name
        /// Behind the colon, where one space is not part of the value.
        case space(Field)
        case value(Field)
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// Bytes of the longest field name that has a meaning.
    private static let nameBytes = 6

    private let limits: MessageLimits
    /// Bytes of the byte order mark that have come; 3 once the beginning is past.
    private var markBytes = 0
    private var isAfterCarriageReturn = false
    private var place = Place.start
    private var name: [UInt8] = []
    private var data: KeptPayload
    private var hasData = false
    private var event: [UInt8] = []
    private var id: [UInt8] = []
    private var isIDSound = true
    private var lastID: String?
    private var wireBytes: Int64 = 0

    init(limits: MessageLimits) {
        self.limits = limits
        data = KeptPayload(limitBytes: limits.keptBytes)
    }

    /// Reads the next bytes and gives the events that they dispatch.
    mutating func read(_ bytes: UnsafeRawBufferPointer, time: Int64, _ give: (StreamMessage) -> Void) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if markBytes < 3 {
                if byte == Self.mark[markBytes] {
                    markBytes += 1
                    index += 1
                    continue
                }
                // No mark: the bytes that looked like one begin a field's name, and none that means something.
                if markBytes > 0 {
                    place = .name
                    name = Array(Self.mark.prefix(markBytes))
                }
                markBytes = 3
            }
            switch byte {
            case ASCII.lineFeed where isAfterCarriageReturn:
                isAfterCarriageReturn = false
                index += 1
            case ASCII.lineFeed, ASCII.carriageReturn:
                isAfterCarriageReturn = byte == ASCII.carriageReturn
                wireBytes += 1
                endLine(time, give)
                index += 1
            default:
                isAfterCarriageReturn = false
                let end = Self.endOfLine(bytes, from: index)
                wireBytes += Int64(end - index)
                take(UnsafeRawBufferPointer(rebasing: bytes[index..<end]))
                index = end
            }
        }
    }

    /// Bytes of memory that the incomplete event holds.
    var messageBytes: Int { data.heldBytes }

    /// Keeps no more of the event than fits into so much memory; the rest is measured.
    mutating func cutMessage(to limitBytes: Int) { data.cut(to: limitBytes) }

    private static func endOfLine(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        bytes[start...].firstIndex { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn } ?? bytes.count
    }

    /// Takes bytes of a line, without its end.
    private mutating func take(_ piece: UnsafeRawBufferPointer) {
        var rest = piece
        func skip(_ count: Int) { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
        while let first = rest.first {
            switch place {
            case .start:
                name.removeAll(keepingCapacity: true)
                place = .name
            case .name:
                let colon = rest.firstIndex(of: ASCII.colon)
                let part = rest[..<(colon ?? rest.count)]
                name.append(contentsOf: part.prefix(max(0, Self.nameBytes - name.count)))
                skip(part.count + (colon == nil ? 0 : 1))
                if colon != nil { place = .space(begin()) }
            case .space(let field):
                if first == ASCII.space { skip(1) }
                place = .value(field)
            case .value(let field):
                append(rest, to: field)
                return
            }
        }
    }

    /// The field of the name that was read, before its value.
    private mutating func begin() -> Field {
        let field: Field =
            switch ByteText.repaired(name) {
            case "data": .data
            case "event": .event
            case "id": .id
            default: .other
            }
        switch field {
        case .data:
            // A line feed stands between the values of two data fields.
            if hasData { data.take(ByteBuffer(bytes: [ASCII.lineFeed])) }
            hasData = true
        case .event: event.removeAll(keepingCapacity: true)
        case .id:
            id.removeAll(keepingCapacity: true)
            isIDSound = true
        case .other: break
        }
        return field
    }

    private mutating func append(_ value: UnsafeRawBufferPointer, to field: Field) {
        switch field {
        case .data: data.take(value)
        case .event: event.append(contentsOf: value.prefix(max(0, limits.nameBytes - event.count)))
        case .id:
            if value.contains(0) { isIDSound = false }
            id.append(contentsOf: value.prefix(max(0, limits.nameBytes - id.count)))
        case .other: break
        }
    }

    private mutating func endLine(_ time: Int64, _ give: (StreamMessage) -> Void) {
        defer { place = .start }
        var field = Field.other
        switch place {
        case .start:
            dispatch(time, give)
            return
        // A line without a colon is a field with an empty value.
        case .name: field = begin()
        case .space(let one), .value(let one): field = one
        }
        if field == .id, isIDSound { lastID = ByteText.repaired(id) }
    }

    private mutating func dispatch(_ time: Int64, _ give: (StreamMessage) -> Void) {
        defer {
            data = KeptPayload(limitBytes: limits.keptBytes)
            hasData = false
            event.removeAll(keepingCapacity: true)
            wireBytes = 0
        }
        guard hasData else { return }
        var message = StreamMessage(
            side: .response,
            time: time,
            kind: .event,
            wireBytes: wireBytes,
            size: data.size,
            payload: data.bytes
        )
        message.problem = data.isCut ? StreamRoom.messageProblem : nil
        message.eventName = event.isEmpty ? nil : ByteText.repaired(event)
        message.eventID = lastID?.isEmpty == false ? lastID : nil
        give(message)
    }
}
