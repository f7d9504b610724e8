/// An event, told before a response's end: bytes that belong to no response follow it.
struct ExtraBytes {
    var count: Int
}
