import Testing
import Traffic

@Suite("A number goes with the noun that it counts", .timeLimit(.minutes(15)))
struct CountedTests {
    @Test(
        "One thing has the words for one, and any other number those for many",
        arguments: [
            (0, "exchange", nil, "0 exchanges"), (1, "exchange", nil, "1 exchange"),
            (2, "exchange", nil, "2 exchanges"), (11, "row", nil, "11 rows"), (-1, "row", nil, "-1 rows"),
            (1_234_567, "row", nil, "1234567 rows"), (0, "facility", "facilities", "0 facilities"),
            (1, "facility", "facilities", "1 facility"), (1, "part differs", "parts differ", "1 part differs"),
            (3, "part differs", "parts differ", "3 parts differ"), (2, "sheep", "sheep", "2 sheep"),
        ]
    )
    func counts(_ count: Int, _ one: String, _ many: String?, _ expected: String) {
        #expect(count.counted(one, many) == expected)
        #expect(Int64(count).counted(one, many) == expected)
    }

    @Test("A number of any size counts")
    func sizes() {
        #expect(UInt8.max.counted("byte") == "255 bytes")
        #expect(Int64.min.counted("byte") == "-9223372036854775808 bytes")
        #expect(UInt64(1).counted("byte") == "1 byte")
    }
}
