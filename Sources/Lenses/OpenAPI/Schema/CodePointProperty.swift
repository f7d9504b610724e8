/// What a code point may do in a label of a host name: the derived property of RFC 5892 §3, as the Unicode that Swift has derives it.
enum CodePointProperty: Sendable {
    /// PVALID: may stand anywhere.
    case valid
    /// CONTEXTJ or CONTEXTO: may stand where a rule of RFC 5892 appendix A lets it.
    case contextual
    case disallowed
    /// Is no character yet: a later Unicode says which of the others it is.
    case unassigned

    init(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        if let exception = CodePointProperty.exception(scalar) {
            self = exception
        } else if properties.generalCategory == .unassigned, !properties.isNoncharacterCodePoint {
            self = .unassigned
        } else if scalar.isASCII {
            self = CodePointProperty.isLDH(scalar) ? .valid : .disallowed
        } else if properties.changesWhenNFKCCaseFolded || properties.isDefaultIgnorableCodePoint
            || properties.isWhitespace || CodePointProperty.isOfRefusedBlock(scalar)
        {
            self = .disallowed
        } else {
            self = CodePointProperty.isLetterOrDigit(properties.generalCategory) ? .valid : .disallowed
        }
    }

    /// What is said of a code point by itself (§2.6 and, of the joiners, §2.8).
    private static func exception(_ scalar: Unicode.Scalar) -> CodePointProperty? {
        switch scalar.value {
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: .valid
        case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x660...0x669, 0x6F0...0x6F9, 0x200C, 0x200D: .contextual
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: .disallowed
        default: nil
        }
    }

    /// Whether a scalar is a letter in lower case, a digit or the hyphen (§2.5).
    private static func isLDH(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "-" || ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar)
    }

    /// Whether a scalar is a mark for symbols, of music (§2.4), or an old jamo, of which syllables are made (§2.9).
    private static func isOfRefusedBlock(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20D0...0x20FF, 0x1D100...0x1D24F, 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7FB: true
        default: false
        }
    }

    /// Whether a category is one of §2.1.
    private static func isLetterOrDigit(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .lowercaseLetter, .uppercaseLetter, .otherLetter, .modifierLetter, .decimalNumber, .nonspacingMark,
            .spacingMark:
            true
        default: false
        }
    }
}
