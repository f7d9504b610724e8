/// An event: the client speaks HTTP/2 without having asked; the codec still holds the bytes.
struct HTTP2Preface {}
