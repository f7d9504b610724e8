extension ContentCoding {
    /// A fresh decoder; `nil` when its library cannot give one, for lack of memory.
    func stage() -> (any DecodingStage)? {
        switch self {
        case .gzip: InflateStage(.gzip)
        case .deflate: InflateStage(.deflate)
        case .brotli: BrotliStage()
        case .zstd: ZstdStage()
        }
    }
}
