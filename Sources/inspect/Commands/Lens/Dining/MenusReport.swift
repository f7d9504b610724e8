import Foundation
import Lenses
import Traffic

/// What `inspect menus` shows: a tree of each day, where favourites are served, and what captures could not be read.
struct MenusReport: BoardReport {
    let board: MenuBoard

    private var listings: [MenuListing] { board.listings }
    private var selection: MenuSelection { board.selection }
    private var favourites: Set<String> { board.favourites }
    private var book: MenuBook { board.book }

    func lines(in layout: Layout) -> [String] {
        let style = layout.style
        var lines: [String] = []
        for listing in listings {
            if !lines.isEmpty { lines.append("") }
            let when = listing.day == selection.today ? ", today" : ""
            lines.append(style.paint("\(listing.day.text)\(when)", .bold) + style.paint(Self.source(of: listing), .dim))
            if listing.meals.isEmpty { lines.append("  nothing of what was asked for") }
            for meal in listing.meals { lines += self.lines(of: meal, style: style) }
        }
        if listings.isEmpty { lines.append(absence) }
        if !favourites.isEmpty, !book.isEmpty { lines += [""] + favouriteLines(style: style) }
        lines += book.problems.prefix(5).map { style.paint(VisibleText.line("Left out: \($0)"), .yellow) }
        if !book.isWhole { lines.append("Only the newest answers were read; a query such as since:7d narrows them.") }
        return lines
    }

    /// The exchanges that a day's menus are of: `  from #12, quick service from #14`.
    private static func source(of listing: MenuListing) -> String {
        let parts = [
            listing.capture.map { "from #\($0)" }, listing.quickCapture.map { "quick service from #\($0)" },
        ]
        let told = parts.compactMap(\.self)
        return told.isEmpty ? "" : "  " + told.joined(separator: ", ")
    }

    private func lines(of meal: MenuListing.Meal, style: Style) -> [String] {
        var lines = ["  " + style.paint(VisibleText.line(meal.name), .cyan)]
        for hall in meal.halls {
            let kind = hall.isQuick ? " (quick)" : ""
            lines.append("    \(VisibleText.line(hall.name))\(kind)  \(Self.hours(of: hall, style: style))")
            for section in hall.sections {
                lines.append("      " + style.paint(VisibleText.line(section.name), .dim))
                for food in section.foods {
                    let star = favourites.contains(food.recipe) ? style.paint("★ ", .yellow) : ""
                    let type = food.type.isEmpty ? "" : "  " + style.paint(VisibleText.line(food.type), .green)
                    let recipe = style.paint(VisibleText.line(food.recipe), .dim)
                    lines.append("        \(star)\(VisibleText.line(food.name))\(type)  \(recipe)")
                }
            }
        }
        return lines
    }

    private static func hours(of hall: MenuListing.Hall, style: Style) -> String {
        guard let hours = hall.hours, let state = hall.state else {
            return style.paint("no hours that can be read", .yellow)
        }
        switch state {
        case .open: return "\(hours.text)  " + style.paint("open now", .green)
        case .opens: return "\(hours.text)  " + style.paint("not open yet", .dim)
        case .closed: return "\(hours.text)  " + style.paint("closed", .dim)
        case .never: return "\(hours.text)  " + style.paint("never open: it closes before it opens", .yellow)
        }
    }

    /// Why nothing is listed.
    private var absence: String {
        let days = selection.wantedDays.map(\.text).joined(separator: " and ")
        guard let first = book.days.keys.min(), let last = book.days.keys.max() else {
            return book.quick == nil
                ? "No captured answer holds menus." : "Only the menu of quick service was captured; it is of today."
        }
        if selection.isOpen, selection.wantedDays.contains(where: { book.days[$0] != nil }) {
            return "Nothing is open at \(CampusTime.text(selection.moment))."
        }
        let range = first == last ? first.text : "\(first.text) to \(last.text)"
        return "No menu of \(days) was captured; there are menus of \(range) (--day all)."
    }

    /// Where each favourite is served on the listed days.
    private func favouriteLines(style: Style) -> [String] {
        favourites.sorted().map { recipe in
            let name = VisibleText.line(book.food(recipe).map { "\($0.name) (\(recipe))" } ?? recipe)
            let places = board.servings(of: recipe).map { "\($0.day.text) \($0.meal): \($0.hall)" }
            let text = places.isEmpty ? "not served in what is listed" : places.joined(separator: ", ")
            return style.paint("★ ", .yellow) + "\(name): \(VisibleText.line(text))"
        }
    }
}
