import Traffic

extension SchemaJudge {
    /// Checks the keywords about numbers, which are compared with all of their digits.
    mutating func numeric(_ value: JSONValue, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        charge(digitsOf: schema.minimum)
        charge(digitsOf: schema.maximum)
        charge(digitsOf: schema.exclusiveMinimum)
        charge(digitsOf: schema.exclusiveMaximum)
        charge(digitsOf: schema.multipleOf)
        var verdict = SchemaVerdict.holds
        if let least = schema.minimum, value.isLess(than: least) {
            verdict = fail(value, place, "minimum", "is \(value.brief); expected \(least.brief) or more")
        }
        if let most = schema.maximum, most.isLess(than: value) {
            verdict = fail(value, place, "maximum", "is \(value.brief); expected \(most.brief) or less")
        }
        if let bound = schema.exclusiveMinimum, !bound.isLess(than: value) {
            verdict = fail(value, place, "exclusiveMinimum", "is \(value.brief); expected more than \(bound.brief)")
        }
        if let bound = schema.exclusiveMaximum, !value.isLess(than: bound) {
            verdict = fail(value, place, "exclusiveMaximum", "is \(value.brief); expected less than \(bound.brief)")
        }
        if let factor = schema.multipleOf {
            switch factor.numeral.flatMap({ value.numeral?.isMultiple(of: $0) }) {
            case true?: break
            case false?: verdict = fail(value, place, "multipleOf", "is \(value.brief), no multiple of \(factor.brief)")
            case nil: verdict.meet(.unknown)
            }
        }
        if let format = schema.format, format.isNumeric, !format.holds(value) {
            verdict = fail(value, place, "format", "is \(value.brief), no \(format.rawValue)")
        }
        return verdict
    }

    /// Checks the keywords about strings.
    mutating func textual(_ text: String, _ value: JSONValue, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        var verdict = SchemaVerdict.holds
        if schema.minLength != nil || schema.maxLength != nil {
            charge(characters: text.utf8.count)
            let count = text.unicodeScalars.count
            if let least = schema.minLength, count < least {
                verdict = fail(value, place, "minLength", "has \(count) characters; expected \(least) or more")
            }
            if let most = schema.maxLength, count > most {
                verdict = fail(value, place, "maxLength", "has \(count) characters; expected \(most) or fewer")
            }
        }
        if let pattern = schema.pattern {
            switch matches(pattern, text) {
            case true?: break
            case false?:
                verdict = fail(value, place, "pattern", "is \(value.brief), which does not match \(pattern.source)")
            case nil: verdict.meet(.unknown)
            }
        }
        if let format = schema.format, !format.isNumeric {
            charge(characters: format.cost(of: text))
            switch format.verdict(on: text) {
            case .holds: break
            case .unknown: verdict.meet(.unknown)
            case .fails: verdict = fail(value, place, "format", "is \(value.brief), no \(format.rawValue)")
            }
        }
        return verdict
    }
}

extension JSONValue {
    /// Whether a number is less than another; Doubles decide where they hold all digits.
    func isLess(than other: JSONValue) -> Bool {
        if case .number(let left) = self, case .number(let right) = other { return left < right }
        guard let left = numeral, let right = other.numeral else { return false }
        return left < right
    }
}
