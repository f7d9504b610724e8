import NIOCore
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct HeaderListTests {
    @Test("Lines without a colon are left out, and a colon of a later line is not theirs")
    func lenient() {
        let head = "GET / HTTP/1.1\r\nno colon\r\nA: b:c\r\n\r\n:\n B :\t d \nlast"
        let fields = HeaderList(head: ByteBuffer(string: head))
        #expect(fields.map { "\($0.name)=\($0.value)" } == ["A=b:c", "=", " B =d"])
    }

    @Test("Eight times as many lines without a colon take hardly more than eight times as long")
    func isLinear() {
        func time(_ count: Int) -> Double {
            let lines = ByteBuffer(repeating: ASCII.lineFeed, count: count)
            return ThreadTime.least { #expect(HeaderList(trailers: lines).isEmpty) }
        }
        let (few, many) = (time(64 << 10), time(512 << 10))
        // Each looked through to the end of all, they would take sixty-four times as long.
        #expect(many < few * 28, "\(few) \(many)")
    }
}
