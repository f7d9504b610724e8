/// A page of the proxy's own.
package struct LocalPage: Sendable, Hashable {
    /// With its parameters.
    package var mediaType: String
    package var content: [UInt8]
    /// The name to keep it under, in ASCII without quotes; `nil` for what is shown.
    package var fileName: String?
    /// What the page may load, as a Content-Security-Policy has it.
    package var policy = "default-src 'none'; sandbox"

    package init(mediaType: String, content: some Sequence<UInt8>, fileName: String? = nil) {
        self.mediaType = mediaType
        self.content = Array(content)
        self.fileName = fileName
    }
}
