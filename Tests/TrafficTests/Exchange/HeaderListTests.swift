import NIOCore
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

    @Test("Millions of lines without a colon are read one after the other", .timeLimit(.minutes(1)))
    func isLinear() {
        // Each looked through to the end of all, they would take minutes.
        let lines = ByteBuffer(repeating: ASCII.lineFeed, count: 2 << 20)
        #expect(HeaderList(trailers: lines).isEmpty)
    }
}
