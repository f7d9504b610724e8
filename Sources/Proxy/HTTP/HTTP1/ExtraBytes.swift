/// Tells, before a response's end, that bytes followed it which belong to no response.
struct ExtraBytes {
    var count: Int
}
