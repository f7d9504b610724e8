import Testing

/// HTTP/2 clients that break the rules by a frame: their connection ends, others live.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct HTTP2RuleTests {
    @Test(
        "A frame against the rules ends its own connection",
        arguments: [
            "window_overflow", "frame_too_long", "push", "data_on_idle", "head_on_zero", "head_on_even",
            "ids_backwards",
            "bare_continuation", "interleaved", "short_settings", "bad_window_setting", "bad_frame_size_setting",
            "settings_on_stream", "short_ping", "reset_idle", "padding_too_long", "bad_hpack", "bad_huffman",
            "table_too_large",
            "no_preface",
        ]
    )
    func rules(name: String) async throws {
        let seen = try await HTTP2FloodMemoryTests.attack(name, count: 1, growthLimitBytes: .max)
        #expect(seen.ended, "\(name) \(seen)")
    }
}
