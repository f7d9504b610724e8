#if os(Linux)
import Traffic

/// A program that holds clients' sockets, and where among its descriptors the next one will be: a socket gets the lowest free number.
struct SocketHolder: Sendable {
    /// Descriptors that are remembered.
    static let placeLimitCount = 128
    /// How far past the highest number that was seen the next one is looked for: a program that opens many at once.
    private static let aheadCount: Int32 = 2

    /// A descriptor that was a client's socket.
    private struct Place {
        enum Stage { case open, ending, free }

        var number: Int32
        /// The connection that had it last.
        var claim: UInt64
        /// `ending` while nothing more goes to the client, which then is about to close it.
        var stage: Stage
    }

    /// The program.
    let process: LocalProcess
    private let files: ProcessFiles
    private let comm: ProcessFiles.Comm
    /// In the order of their numbers.
    private var places: [Place] = []

    /// `nil` where the program has ended, or may not be looked at, or has become another one by now.
    init?(_ process: LocalProcess, root: String) {
        guard let files = ProcessFiles(id: process.id, root: root), let comm = files.comm(),
            ProcessTable.process(process.id, root: root) == process
        else { return nil }
        self.process = process
        self.files = files
        self.comm = comm
    }

    /// Whether it runs and is the program that it was.
    var isSame: Bool { files.comm() == comm }

    /// Looks for a socket where it most likely is.
    ///
    /// - Parameters:
    ///   - inode: the socket.
    ///   - left: descriptors that may be looked at; those that were are taken off.
    /// - Returns: its number; `nil` where it is none of those.
    func number(of inode: UInt64, left: inout Int) -> Int32? {
        func isThere(_ number: Int32) -> Bool {
            guard left > 0 else { return false }
            left -= 1
            return files.socket(number) == inode
        }
        // The lowest one that is free is the one, unless the client has closed another one by now.
        let free = places.first { $0.stage == .free }?.number
        if let free, isThere(free) { return free }
        for stage in [Place.Stage.ending, .free] {
            let found = places.first { $0.stage == stage && $0.number != free && isThere($0.number) }
            if let found { return found.number }
        }
        let highest = places.last?.number ?? -1
        if let ahead = (highest + 1...highest + SocketHolder.aheadCount).first(where: isThere) { return ahead }
        // A client may have opened the next connection before anything was seen of the last one's end.
        return places.filter { $0.stage == .open }.sorted { $0.claim < $1.claim }.first { isThere($0.number) }?.number
    }

    /// Takes note that a connection has a number.
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

    /// Forgets the highest that is not open, or the one that has been open for longest.
    private mutating func forget() {
        let last = places.lastIndex { $0.stage != .open } ?? places.indices.min { places[$0].claim < places[$1].claim }
        if let last { places.remove(at: last) }
    }

    /// Takes note that a connection has ended, or is about to, unless another one has its number by now.
    mutating func release(claim: UInt64, isOver: Bool) {
        guard let index = places.firstIndex(where: { $0.claim == claim }) else { return }
        places[index].stage = isOver ? .free : .ending
    }
}
#endif
