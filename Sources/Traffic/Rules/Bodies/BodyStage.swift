import NIOCore

/// One change of a body that is made while the body passes.
struct BodyStage {
    private enum State {
        /// A text to be put before the body; with the bytes that may be the beginning of a byte order mark.
        case prepend([UInt8], held: ByteBuffer)
        /// The text before the body has gone.
        case passing
        case append([UInt8])
        /// The text behind the body has gone.
        case appended
        case replace(LiteralReplacer, name: String)
    }

    private var state: State

    /// Makes the stage of a change that does not need the whole body; `nil` for any other, and for a text that is empty.
    ///
    /// - Throws: `RuleFault` where the body's charset lacks a character.
    init?(_ step: BodyStep, in charset: Charset?) throws(RuleFault) {
        switch step {
        case .prepend(""), .append(""): return nil
        case .prepend(let text): state = .prepend(try BodyStep.bytes(of: text, in: charset), held: ByteBuffer())
        case .append(let text): state = .append(try BodyStep.bytes(of: text, in: charset))
        case .replace(let replacement):
            guard case .text(let find) = replacement.pattern else { return nil }
            state = .replace(
                try LiteralReplacer(replacement, find, in: charset),
                name: replacement.pattern.name
            )
        case .text, .bytes, .json, .form: return nil
        }
    }

    /// What it changed, and why it changed no more; said once, when the body has ended.
    func report(_ changes: inout BodyChanges) -> String? {
        switch state {
        case .prepend, .append: return nil
        case .passing: changes.add("prepended")
        case .appended: changes.add("appended")
        case .replace(let replacer, let name):
            changes.add(name, replacer.count)
            if replacer.isCut { return "the body grew too much; the rest of it was not changed" }
        }
        return nil
    }

    /// Has the body grow no more.
    mutating func stopGrowing() {
        guard case .replace(var replacer, let name) = state else { return }
        replacer.cut()
        state = .replace(replacer, name: name)
    }

    /// Takes the next piece, and gives what goes on of it; `room` are the bytes by which replacements may still have the body grow.
    mutating func take(_ piece: ByteBuffer, isLast: Bool, room: inout Int) -> ByteBuffer {
        switch state {
        case .passing, .appended: return piece
        case .prepend(let text, var held):
            held.writeImmutableBuffer(piece)
            let bytes = held.readableBytesView
            let mayBeMark = bytes.count < BodyStep.utf8Mark.count && BodyStep.utf8Mark.starts(with: bytes)
            guard isLast || !mayBeMark else {
                state = .prepend(text, held: held)
                return ByteBuffer()
            }
            state = .passing
            let mark = BodyStep.markLength(of: bytes, in: nil)
            var out = held.readSlice(length: mark) ?? ByteBuffer()
            out.writeBytes(text)
            out.writeImmutableBuffer(held)
            return out
        case .append(let text):
            guard isLast else { return piece }
            var out = piece
            out.writeBytes(text)
            state = .appended
            return out
        case .replace(var replacer, let name):
            // Taken out first, so that its bytes are not copied.
            state = .passing
            let out = replacer.take(piece, isLast: isLast, room: &room)
            state = .replace(replacer, name: name)
            return out
        }
    }
}
