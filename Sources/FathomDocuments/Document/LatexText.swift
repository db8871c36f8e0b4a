import FathomPlainText

/// Text as LaTeX sets it.
enum LatexText {
  /// What has a meaning in LaTeX, and the signs of our tables that pdfLaTeX's fonts lack. Names of columns may break behind an underscore.
  private static let replacements: [Character: String] = [
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\${}", "&": "\\&", "#": "\\#", "%": "\\%",
    "_": "\\_\\allowbreak{}",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "|": "$|$", "<": "$<$", ">": "$>$",
    "\"": "\\textquotedbl{}", "`": "\\textasciigrave{}", "↓": "$\\downarrow$", "↑": "$\\uparrow$",
    "→": "$\\rightarrow$", "≤": "$\\leq$",
    "≥": "$\\geq$", "≈": "$\\approx$", "−": "$-$", "±": "$\\pm$", "×": "$\\times$", "·": "$\\cdot$",
    "√": "$\\surd$",
    "∞": "$\\infty$", "†": "$^\\dagger$", "–": "--", "—": "---", "…": "\\ldots{}", "½": "$\\frac12$",
    "°": "$^\\circ$",
    "′": "$'$", "§": "\\S{}", "α": "$\\alpha$",
    "β": "$\\beta$",
    "δ": "$\\delta$", "Δ": "$\\Delta$", "ε": "$\\varepsilon$", "σ": "$\\sigma$", "ρ": "$\\rho$",
    "χ": "$\\chi$",
    "θ": "$\\theta$", "λ": "$\\lambda$", "μ": "$\\mu$", "µ": "$\\mu$", "τ": "$\\tau$",
  ]

  /// Signs below and above the line, and the sign that opens them; neighbours share one pair of braces: "₁₀" is one index.
  private static let shifted: [(opening: String, signs: [Unicode.Scalar: String])] = [
    ("_", scripts("₀₁₂₃₄₅₆₇₈₉₊₋")), ("^", scripts("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")),
  ]

  private static func scripts(_ signs: String) -> [Unicode.Scalar: String] {
    Dictionary(
      uniqueKeysWithValues: zip(signs.unicodeScalars, "0123456789+-".unicodeScalars.map { String($0) }))
  }

  /// What stands over the letter before it, which formulas need.
  private static let accents: [Unicode.Scalar: String] = ["\u{302}": "\\hat", "\u{304}": "\\bar"]

  /// Shown as it is written.
  static func escape(_ text: String) -> String {
    var result = ""
    // By scalars, because an accent does not take the meaning from what it stands on.
    let scalars = Array(text.visible.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      let (opening, run) = script(scalars[index...])
      if !run.isEmpty {
        result += run.count == 1 ? "$\(opening)\(run[0])$" : "$\(opening){\(run.joined())}$"
        index += run.count
        continue
      }
      let shown = replacements[Character(scalar)] ?? String(scalar)
      if index + 1 < scalars.count, let accent = accents[scalars[index + 1]] {
        result += "$\(accent){\(shown.replacing("$", with: ""))}$"
        index += 2
        continue
      }
      // Two hyphens side by side would become a dash.
      if scalar == "-", index > 0, scalars[index - 1] == "-" { result += "{}" }
      result += shown
      index += 1
    }
    // Neighbouring signs share one formula; a dollar sign itself is "\\$" and never followed by another.
    return result.replacing("$$", with: "")
  }

  /// The signs below or above the line that a text begins with.
  private static func script(_ scalars: ArraySlice<Unicode.Scalar>) -> (opening: String, signs: [String]) {
    for (opening, signs) in shifted {
      let run = scalars.prefix { signs[$0] != nil }
      if !run.isEmpty { return (opening, run.compactMap { signs[$0] }) }
    }
    return ("", [])
  }

  /// A sentence with **bold** and `code`.
  static func inline(_ text: String) -> String { markup.convert(text) }

  private static let markup = InlineMarkup(
    escape: { escape($0) }, code: { "\\texttt{\(escape($0))}" }, bold: ("\\textbf{", "}"))

  /// Behind a per cent sign, where only the end of the line counts.
  static func comment(_ text: String) -> String { text.visible }

  /// Letters, digits, hyphens and colons.
  static func label(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "-" })
  }
}
