import CMalloc
import Testing

@testable import inspect

@Suite(.timeLimit(.minutes(15))) struct FreedMemoryTests {
    /// Looks at a process of so many MiB, one after the other; which of the looks found a burst over.
    private func looks(_ sizes: [Int]) -> [Int] {
        var memory = FreedMemory()
        return sizes.enumerated().compactMap { memory.isDue($1 << 20) ? $0 : nil }
    }

    @Test("A burst is over when the process has grown and grows no more")
    func bursts() {
        #expect(looks([50, 60, 80, 100, 100, 90]).isEmpty)
        #expect(looks([50, 150, 250, 300, 300]) == [4])
        #expect(looks([50, 300, 280]) == [2])
        #expect(looks([300, 300, 300]).isEmpty)
        // What the system took back itself is the least that is needed.
        #expect(looks([300, 50, 120, 120]) == [3])
    }

    @Test("What is still held after it was given back is in use, and is not asked for again")
    func held() {
        var memory = FreedMemory()
        let sizes = [50, 300, 300].map { memory.isDue($0 << 20) }
        #expect(sizes == [false, false, true])
        memory.gaveBack(200 << 20)
        #expect(!memory.isDue(200 << 20) && !memory.isDue(263 << 20) && !memory.isDue(263 << 20))
        #expect(!memory.isDue(270 << 20) && memory.isDue(270 << 20))
    }

    @Test("What is held and not in use goes back also while traffic goes on, once it has grown much")
    func spare() {
        var memory = FreedMemory()
        #expect([40, 44, 47, 48].map { memory.isSpare($0 << 20) } == [false, false, false, true])
        memory.gaveBack(90 << 20, spare: 50 << 20)
        #expect([52, 57, 45, 52, 53].map { memory.isSpare($0 << 20) } == [false, false, false, false, true])
    }

    #if os(Linux)
    @Test("The allocator says what is in use")
    func used() {
        let before = malloc_used_bytes()
        // It is counted, though no page of it is touched.
        let block = UnsafeMutableRawPointer.allocate(byteCount: 256 << 20, alignment: 16)
        let grown = malloc_used_bytes()
        block.deallocate()
        // Other tests allocate and free beside this one, some of them tens of MiB at once.
        #expect(grown > before + (128 << 20))
    }
    #endif
}
