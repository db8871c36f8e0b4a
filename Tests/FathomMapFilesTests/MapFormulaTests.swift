import Testing

@testable import FathomMapFiles

@Suite struct MapFormulaTests {
  private func fault(_ body: () throws -> Void) -> String {
    do { try body() } catch { return (error as? MappingFault)?.words ?? "\(error)" }
    return "no error"
  }

  @Test(
    "operators bind as in C and Python, and bits need whole numbers",
    arguments: [
      ("1 + 2*3", 7), ("-v + 10", 4), ("2 - 3 - 4", -5), ("8 / 4 / 2", 1), ("7 % 4", 3), ("v >> 1 & 1", 1),
      ("1 | 6 ^ 3 & 2", 5), ("~v & 0xFF", 249), ("((v << 3) | (v >> 13)) & 65535", 48),
      ("exp(log(2) * 3)", 8), ("min(v, 3) + max(v, 7)", 10), ("1e-3 * v", 0.006), ("floor(v / 4)", 1),
      ("sqrt(v + 3)", 3), ("half(15360)", 1), ("half(0x4248)", 3.140625), ("half(0xC000)", -2),
      ("half(1)", 0x1p-24), ("half(0x7BFF)", 65504), ("half(0)", 0),
    ])
  func arithmetic(_ text: String, _ value: Double) throws {
    let formula = try MapFormula(text, of: "formula")
    #expect(abs(formula.value(formula.names.map { _ in 6 }) - value) < 1e-12)
    for text in ["1.5 | 1", "1 << 60", "log(-1)"] {
      #expect(try MapFormula(text, of: "formula").value([]).isNaN)
    }
  }

  @Test(
    "a fault is shown with its place",
    arguments: [
      ("v +", "at its end, a number or a name is missing"), ("v * (3 + 1", "at its end, ')' is missing"),
      ("v ? 3", "at letter 3, '?' is not expected here"), ("1..2", "at letter 1, '1..2' is not a number"),
      ("open(3)", "at letter 1, 'open' is not a function; there are exp, log, sqrt, floor, half, min, max"),
      ("min(3)", "at letter 6, ',' is missing"), ("", "at its end, a number or a name is missing"),
      (String(repeating: "(", count: 40), "at letter 31, too many brackets are open"),
    ])
  func faults(_ text: String, _ reason: String) {
    #expect(fault { _ = try MapFormula(text, of: "key") } == "'key' is '\(text)': \(reason)")
  }

  @Test("formulas are held to a length")
  func bounds() {
    let sum = String(repeating: "1+", count: 150) + "1"
    #expect(fault { _ = try MapFormula(sum, of: "key") }.contains("more than 200 steps"))
    let long = String(repeating: " ", count: 600)
    #expect(fault { _ = try MapFormula(long, of: "key") } == "'key' has more than 500 letters")
  }
}
