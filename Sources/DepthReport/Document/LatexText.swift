/// Text as LaTeX sets it.
enum LatexText {
  /// What has a meaning in LaTeX, and the signs of our tables that pdfLaTeX's fonts lack.
  private static let replacements: [Character: String] = [
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\${}", "&": "\\&", "#": "\\#", "%": "\\%",
    "_": "\\_",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "|": "$|$", "<": "$<$", ">": "$>$",
    "\"": "\\textquotedbl{}", "↓": "$\\downarrow$", "↑": "$\\uparrow$", "→": "$\\rightarrow$", "≤": "$\\leq$",
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
    // Neighbouring signs share one formula; a dollar sign itself is "\\$" and never followed by another.
    text.map { replacements[$0] ?? String($0) }.joined().replacing("$$", with: "")
  }

  /// A sentence with **bold** and `code`.
  static func inline(_ text: String) -> String { markup.convert(text) }

  private static let markup = InlineMarkup(
    escape: { escape($0) }, code: ("\\texttt{", "}"), bold: ("\\textbf{", "}"), asterisks: "*{}*")

  /// Behind a per cent sign, where only the end of the line counts.
  static func comment(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Letters, digits, hyphens and colons.
  static func label(_ text: String) -> String {
    String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "-" })
  }
}
