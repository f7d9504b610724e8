#if os(Linux)
import Traffic

/// A program that holds clients' sockets, and the numbers that its next socket may have: a socket gets the lowest free descriptor.
struct SocketHolder: Sendable {
    /// The most descriptors that are remembered.
    static let placeLimitCount = 128
    /// How far past the highest known number to search, for a program that opens many sockets at once.
    private static let aheadCount: Int32 = 2

    /// A descriptor that was a client's socket.
    private struct Place {
        enum Stage { case open, ending, free }

        var number: Int32
        /// The latest connection on this descriptor.
        var claim: UInt64
        /// The descriptor's state; `ending` while nothing more goes to the client, which is about to close it.
        var stage: Stage
    }

    /// The program.
    let process: LocalProcess
    private let files: ProcessFiles
    private let comm: ProcessFiles.Comm
    /// The descriptors, in the order of their numbers.
    private var places: [Place] = []

    /// Notes a program; `nil` where it has ended, may not be read, or is another one by now.
    init?(_ process: LocalProcess, root: String) {
        guard let files = ProcessFiles(id: process.id, root: root), let comm = files.comm(),
            ProcessTable.process(process.id, root: root) == process
        else { return nil }
        self.process = process
        self.files = files
        self.comm = comm
    }

    /// Whether it runs and is still the same program.
    var isSame: Bool { files.comm() == comm }

    /// Finds a socket among the most likely descriptors.
    ///
    /// - Parameters:
    ///   - inode: the socket.
    ///   - left: how many descriptors may still be read; reduced by those that are.
    /// - Returns: the number of its descriptor; `nil` where it is none of those.
    func number(of inode: UInt64, left: inout Int) -> Int32? {
        func isThere(_ number: Int32) -> Bool {
            guard left > 0 else { return false }
            left -= 1
            return files.socket(number) == inode
        }
        // The lowest free one is right, unless the client has closed another one by now.
        let free = places.first { $0.stage == .free }?.number
        if let free, isThere(free) { return free }
        for stage in [Place.Stage.ending, .free] {
            let found = places.first { $0.stage == stage && $0.number != free && isThere($0.number) }
            if let found { return found.number }
        }
        let highest = places.last?.number ?? -1
        if let ahead = (highest + 1...highest + SocketHolder.aheadCount).first(where: isThere) { return ahead }
        // A client may open the next connection before we see the end of the last one.
        return places.filter { $0.stage == .open }.sorted { $0.claim < $1.claim }.first { isThere($0.number) }?.number
    }

    /// Notes that a connection has a descriptor.
    mutating func take(_ number: Int32, claim: UInt64) {
        let place = Place(number: number, claim: claim, stage: .open)
        let index = places.firstIndex { $0.number >= number } ?? places.endIndex
        if index < places.endIndex, places[index].number == number {
            places[index] = place
        } else {
            places.insert(place, at: index)
            if places.count > SocketHolder.placeLimitCount { forget() }
        }
    }

    /// Forgets the highest descriptor that is not open, or else the one that has been open for longest.
    private mutating func forget() {
        let last = places.lastIndex { $0.stage != .open } ?? places.indices.min { places[$0].claim < places[$1].claim }
        if let last { places.remove(at: last) }
    }

    /// Notes that a connection has ended, or is about to, unless another connection has its descriptor by now.
    mutating func release(claim: UInt64, isOver: Bool) {
        guard let index = places.firstIndex(where: { $0.claim == claim }) else { return }
        places[index].stage = isOver ? .free : .ending
    }
}
#endif
