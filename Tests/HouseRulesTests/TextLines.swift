import Foundation

/// A text by lines, made for finding the few that a rule has to look at closely.
///
/// A regular expression over every line of the checkout would take minutes in a debug build; a search for bytes takes none.
struct TextLines: Sendable {
    /// One line, without its break.
    struct Line: Sendable {
        /// The first has 1.
        let number: Int
        let text: String
    }

    /// The bytes as C's functions want them, with a zero at the end.
    private let terminated: [UInt8]
    /// Where each line starts, and last where one more would.
    private let starts: [Int]

    private var length: Int { terminated.count - 1 }

    init(_ bytes: [UInt8]) {
        var starts = [0]
        bytes.withUnsafeBytes { all in
            guard let start = all.baseAddress else { return }
            var place = 0
            while let found = memchr(start + place, 0x0A, all.count - place) {
                place = UnsafeRawPointer(found) - start + 1
                starts.append(place)
            }
        }
        if starts.last != bytes.count { starts.append(bytes.count + 1) }
        terminated = bytes + [0]
        self.starts = starts
    }

    /// How many there are; a last line break ends the last line and starts none.
    var count: Int { starts.count - 1 }

    /// A line by its number; an empty one where there is none.
    func line(_ number: Int) -> Line {
        guard (1...count).contains(number) else { return Line(number: number, text: "") }
        let end = min(starts[number] - 1, length)
        return Line(number: number, text: String(decoding: terminated[starts[number - 1]..<end], as: UTF8.self))
    }

    /// The lines that contain at least one of these texts, in order.
    func containing(_ texts: [String]) -> [Line] {
        Set(texts.flatMap(numbers)).sorted().map(line)
    }

    /// The numbers of the lines in which a text starts.
    private func numbers(of text: String) -> [Int] {
        var found: [Int] = []
        terminated.withUnsafeBytes { all in
            guard let start = all.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            var number = 1
            var from = start
            while let place = strstr(from, text) {
                while number < count, starts[number] <= UnsafePointer(place) - start { number += 1 }
                found.append(number)
                // On to the next line: one find a line is enough.
                guard starts[number] < length else { return }
                from = start + starts[number]
            }
        }
        return found
    }
}
