import PlainText

/// Text as LaTeX sets it.
enum LatexText {
  /// What has a meaning in LaTeX, and the signs of our tables that pdfLaTeX's fonts lack.
  private static let replacements: [Character: String] = [
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\${}", "&": "\\&", "#": "\\#", "%": "\\%",
    "_": "\\_",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "|": "$|$", "<": "$<$", ">": "$>$",
    "\"": "\\textquotedbl{}", "`": "\\textasciigrave{}", "↓": "$\\downarrow$", "↑": "$\\uparrow$",
    "→": "$\\rightarrow$", "≤": "$\\leq$",
    "≥": "$\\geq$", "≈": "$\\approx$", "−": "$-$", "±": "$\\pm$", "×": "$\\times$", "·": "$\\cdot$",
    "√": "$\\surd$",
    "∞": "$\\infty$", "†": "$^\\dagger$", "–": "--", "—": "---", "…": "\\ldots{}", "½": "$\\frac12$",
    "°": "$^\\circ$",
    "²": "$^2$",
    "³": "$^3$", "′": "$'$", "₀": "$_0$", "₁": "$_1$", "₂": "$_2$", "₃": "$_3$", "α": "$\\alpha$",
    "β": "$\\beta$",
    "δ": "$\\delta$", "Δ": "$\\Delta$", "ε": "$\\varepsilon$", "σ": "$\\sigma$", "ρ": "$\\rho$",
    "χ": "$\\chi$",
    "θ": "$\\theta$", "λ": "$\\lambda$", "μ": "$\\mu$", "µ": "$\\mu$", "τ": "$\\tau$",
  ]

  /// Shown as it is written.
  static func escape(_ text: String) -> String {
    var result = ""
    var last: Unicode.Scalar?
    // By scalars, because an accent does not take the meaning from what it stands on.
    for scalar in text.visible.unicodeScalars {
      // Two hyphens side by side would become a dash.
      if scalar == "-", last == "-" { result += "{}" }
      result += replacements[Character(scalar)] ?? String(scalar)
      last = scalar
    }
    // Neighbouring signs share one formula; a dollar sign itself is "\\$" and never followed by another.
    return result.replacing("$$", with: "")
  }

  /// A sentence with **bold** and `code`.
  static func inline(_ text: String) -> String { markup.convert(text) }

  private static let markup = InlineMarkup(
    escape: { escape($0) }, code: { "\\texttt{\(escape($0))}" }, bold: ("\\textbf{", "}"))

  /// Behind a per cent sign, where only the end of the line counts.
  static func comment(_ text: String) -> String {
    text.visible
  }

  /// Letters, digits, hyphens and colons.
  static func label(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "-" })
  }
}
