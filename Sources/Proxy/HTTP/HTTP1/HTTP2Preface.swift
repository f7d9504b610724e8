/// Tells that a client speaks HTTP/2 without having asked; the bytes are still the codec's.
struct HTTP2Preface {}
