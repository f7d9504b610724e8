/// What follows the bytes that an encoder is given.
enum EncodingEnd {
    /// More bytes, so that the encoder may keep some back.
    case more
    /// A pause: everything so far can be decoded from what was given out.
    case pause
    /// Nothing: the coding ends.
    case end
}
