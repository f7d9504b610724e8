import NIOCore
import Traffic

/// The format of columns: little-endian, codes and offsets in one or two bytes, numbers as distances from the smallest.
extension FacetBlock {
    /// The facets as bytes.
    func encoded() -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeInteger(UInt16(count), endianness: .little)
        // Without holes the offsets need not be written.
        let isDense = offsets.enumerated().allSatisfy { $0.offset == Int($0.element) }
        bytes.writeInteger(UInt8(isDense ? 1 : 0))
        if !isDense { bytes.writeCodes(offsets, width: 2) }
        bytes.writeInteger(UInt16(open.count), endianness: .little)
        bytes.writeCodes(open, width: 2)
        for column in columns {
            bytes.writeInteger(UInt16(column.values.count), endianness: .little)
            for (value, count) in zip(column.values, column.counts) {
                bytes.writeInteger(UInt32(count), endianness: .little)
                bytes.writeInteger(UInt32(value.utf8.count), endianness: .little)
                bytes.writeString(value)
            }
            if !column.codes.isEmpty { bytes.writeCodes(column.codes, width: column.values.count <= 256 ? 1 : 2) }
        }
        return bytes
    }

    /// Reads the facets; `nil` when the bytes are not those of a block of this layout, which is then evaluated from its rows.
    init?(index: Int64, through: ExchangeID, encoded: ByteBuffer) {
        var bytes = encoded
        guard
            let count = bytes.readInteger(endianness: .little, as: UInt16.self).map(Int.init),
            count <= FacetBlock.capacity,
            let isDense = bytes.readInteger(as: UInt8.self)
        else { return nil }
        var offsets = [UInt16](0..<UInt16(count))
        if isDense == 0 {
            guard let read = bytes.readCodes(count: count, width: 2), read.allSatisfy({ $0 < FacetBlock.capacity })
            else { return nil }
            offsets = read
        }
        guard
            let openCount = bytes.readInteger(endianness: .little, as: UInt16.self).map(Int.init),
            openCount <= FacetBlock.capacity, let open = bytes.readCodes(count: openCount, width: 2),
            open.allSatisfy({ $0 < FacetBlock.capacity })
        else { return nil }
        var columns: [Column] = []
        for _ in Facet.all {
            guard let column = Column(&bytes, count: count) else { return nil }
            columns.append(column)
        }
        self.init(index: index, through: through, offsets: offsets, open: open, columns: columns)
    }
}

extension FacetBlock.Column {
    fileprivate init?(_ bytes: inout ByteBuffer, count: Int) {
        guard
            let size = bytes.readInteger(endianness: .little, as: UInt16.self).map(Int.init), size <= count,
            // Each exchange has a value.
            size > 0 || count == 0
        else { return nil }
        var values: [String] = []
        var counts: [Int] = []
        values.reserveCapacity(size)
        counts.reserveCapacity(size)
        for _ in 0..<size {
            guard
                let times = bytes.readInteger(endianness: .little, as: UInt32.self),
                let length = bytes.readInteger(endianness: .little, as: UInt32.self),
                let value = bytes.readString(length: Int(length))
            else { return nil }
            values.append(value)
            counts.append(Int(times))
        }
        var codes: [UInt16] = []
        if size > 1 {
            guard let read = bytes.readCodes(count: count, width: size <= 256 ? 1 : 2), read.allSatisfy({ $0 < size })
            else { return nil }
            codes = read
        }
        self.init(values: values, counts: counts, codes: codes)
    }
}

extension NumberColumns {
    /// The numbers as bytes.
    func encoded() -> ByteBuffer {
        var bytes = ByteBuffer()
        for column in [started, duration, requestBytes, responseBytes] { bytes.writeNumbers(column) }
        return bytes
    }

    /// Reads only when each of `count` exchanges started; `nil` when the bytes are not that.
    static func starts(_ encoded: ByteBuffer, count: Int) -> [Int64]? {
        var bytes = encoded
        return bytes.readMoments(count: count)
    }

    /// Reads the numbers of `count` exchanges; `nil` when the bytes are not that.
    init?(encoded: ByteBuffer, count: Int) {
        var bytes = encoded
        guard
            let started = bytes.readMoments(count: count), let duration = bytes.readNumbers(count: count),
            let requestBytes = bytes.readNumbers(count: count), let responseBytes = bytes.readNumbers(count: count)
        else { return nil }
        self.init(started: started, duration: duration, requestBytes: requestBytes, responseBytes: responseBytes)
    }
}

extension ByteBuffer {
    fileprivate mutating func writeCodes(_ codes: [UInt16], width: Int) {
        for code in codes {
            if width == 1 {
                writeInteger(UInt8(truncatingIfNeeded: code))
            } else {
                writeInteger(code, endianness: .little)
            }
        }
    }

    fileprivate mutating func readCodes(count: Int, width: Int) -> [UInt16]? {
        guard let slice = readSlice(length: count * width) else { return nil }
        return slice.withUnsafeReadableBytes { raw in
            [UInt16](unsafeUninitializedCapacity: count) { codes, written in
                for position in 0..<count {
                    codes[position] =
                        width == 1
                        ? UInt16(raw[position])
                        : UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: position * 2, as: UInt16.self))
                }
                written = count
            }
        }
    }

    fileprivate mutating func writeNumbers(_ numbers: [Int64]) {
        let least = numbers.min() ?? 0
        let span = UInt64(bitPattern: (numbers.max() ?? 0) &- least)
        let width: UInt8 = span == 0 ? 0 : span <= UInt64(UInt32.max) ? 4 : 8
        writeInteger(least, endianness: .little)
        writeInteger(width)
        for number in numbers where width > 0 {
            let distance = UInt64(bitPattern: number &- least)
            if width == 4 {
                writeInteger(UInt32(truncatingIfNeeded: distance), endianness: .little)
            } else {
                writeInteger(distance, endianness: .little)
            }
        }
    }

    /// Numbers as moments, within their bounds as the rows' are: earlier versions wrote moments before the year 1.
    fileprivate mutating func readMoments(count: Int) -> [Int64]? {
        readNumbers(count: count)?.map { StoredNumber.nearest($0, in: StoredNumber.moments) }
    }

    fileprivate mutating func readNumbers(count: Int) -> [Int64]? {
        guard
            let least = readInteger(endianness: .little, as: Int64.self),
            let width = readInteger(as: UInt8.self).map(Int.init),
            [0, 4, 8].contains(width), let slice = readSlice(length: count * width)
        else { return nil }
        return slice.withUnsafeReadableBytes { raw in
            [Int64](unsafeUninitializedCapacity: count) { numbers, written in
                switch width {
                case 4:
                    for position in 0..<count {
                        let distance = raw.loadUnaligned(fromByteOffset: position * 4, as: UInt32.self)
                        numbers[position] = least &+ Int64(UInt32(littleEndian: distance))
                    }
                case 8:
                    for position in 0..<count {
                        let distance = raw.loadUnaligned(fromByteOffset: position * 8, as: UInt64.self)
                        numbers[position] = least &+ Int64(bitPattern: UInt64(littleEndian: distance))
                    }
                default: for position in 0..<count { numbers[position] = least }
                }
                written = count
            }
        }
    }
}
