extension ScalarSet {
    /// The scalars of a general category, by the names that it has in ECMA-262 (§22.2.1.9, table 69); `nil` for any other name.
    ///
    /// They are looked for among all that Unicode has given a meaning.
    init?(category name: String) {
        guard let categories = ScalarSet.categories.first(where: { $0.names.contains(name) })?.categories else {
            return nil
        }
        var ranges: [ClosedRange<UInt32>] = []
        for plane in ScalarSet.planes {
            for value in plane {
                guard let scalar = Unicode.Scalar(value), categories.contains(scalar.properties.generalCategory) else {
                    continue
                }
                if let last = ranges.last, last.upperBound + 1 == value {
                    ranges[ranges.count - 1] = last.lowerBound...value
                } else {
                    ranges.append(value...value)
                }
            }
        }
        self.init(ranges)
    }

    /// Where scalars have a category of those below: what lies between and behind is not assigned, or private.
    private static let planes: [ClosedRange<UInt32>] = [0...0x3FFFF, 0xE0000...0xE01FF]

    private static let categories: [(names: [String], categories: [Unicode.GeneralCategory])] = [
        (
            ["L", "Letter"],
            [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter]
        ),
        (["Lu", "Uppercase_Letter"], [.uppercaseLetter]), (["Ll", "Lowercase_Letter"], [.lowercaseLetter]),
        (["Lt", "Titlecase_Letter"], [.titlecaseLetter]),
        (["LC", "Cased_Letter"], [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]),
        (["Lm", "Modifier_Letter"], [.modifierLetter]), (["Lo", "Other_Letter"], [.otherLetter]),
        (["M", "Mark", "Combining_Mark"], [.nonspacingMark, .spacingMark, .enclosingMark]),
        (["Mn", "Nonspacing_Mark"], [.nonspacingMark]), (["Mc", "Spacing_Mark"], [.spacingMark]),
        (["Me", "Enclosing_Mark"], [.enclosingMark]),
        (["N", "Number"], [.decimalNumber, .letterNumber, .otherNumber]),
        (["Nd", "Decimal_Number", "digit"], [.decimalNumber]), (["Nl", "Letter_Number"], [.letterNumber]),
        (["No", "Other_Number"], [.otherNumber]),
        (
            ["P", "Punctuation", "punct"],
            [
                .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation,
            ]
        ),
        (["Pc", "Connector_Punctuation"], [.connectorPunctuation]), (["Pd", "Dash_Punctuation"], [.dashPunctuation]),
        (["Ps", "Open_Punctuation"], [.openPunctuation]), (["Pe", "Close_Punctuation"], [.closePunctuation]),
        (["Pi", "Initial_Punctuation"], [.initialPunctuation]), (["Pf", "Final_Punctuation"], [.finalPunctuation]),
        (["Po", "Other_Punctuation"], [.otherPunctuation]),
        (["S", "Symbol"], [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]),
        (["Sm", "Math_Symbol"], [.mathSymbol]), (["Sc", "Currency_Symbol"], [.currencySymbol]),
        (["Sk", "Modifier_Symbol"], [.modifierSymbol]), (["So", "Other_Symbol"], [.otherSymbol]),
        (["Z", "Separator"], [.spaceSeparator, .lineSeparator, .paragraphSeparator]),
        (["Zs", "Space_Separator"], [.spaceSeparator]), (["Zl", "Line_Separator"], [.lineSeparator]),
        (["Zp", "Paragraph_Separator"], [.paragraphSeparator]),
    ]
}
