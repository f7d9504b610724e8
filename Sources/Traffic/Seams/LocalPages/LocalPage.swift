/// A page of the proxy's own.
package struct LocalPage: Sendable, Hashable {
    /// The media type, with its parameters.
    package var mediaType: String
    package var content: [UInt8]
    /// The name to save the page under, in ASCII without quotes; `nil` where the browser shows it.
    package var fileName: String?
    /// What the page may load, as a Content-Security-Policy has it.
    package var policy = "default-src 'none'; sandbox"

    package init(mediaType: String, content: some Sequence<UInt8>, fileName: String? = nil) {
        self.mediaType = mediaType
        self.content = Array(content)
        self.fileName = fileName
    }
}
