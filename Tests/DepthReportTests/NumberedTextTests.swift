import FathomTestSupport
import Testing

/// What counts as the same text where another processor made it.
@Suite("Texts are compared by words and numbers")
struct NumberedTextTests {
  struct Case: Sendable, CustomStringConvertible {
    let a: String, b: String, isRounded: Bool, agree: Bool
    var description: String { "\(a) and \(b)" }
    init(_ a: String, _ b: String, isRounded: Bool = true, _ agree: Bool) {
      (self.a, self.b, self.isRounded, self.agree) = (a, b, isRounded, agree)
    }
  }

  @Test(arguments: [
    Case("MAE 18.4 mm", "MAE 18.5 mm", true), Case("MAE 18.4 mm", "MAE 18.6 mm", false),
    Case("MAE 18.4 mm", "MAE 18.5 mm", isRounded: false, false),
    Case("| 9.995 |", "| 10.00 |", true), Case("48 of 48", "47 of 48", false),
    Case("auto, 1.2", "ols, 1.2", false), Case("room-01 1.5", "room-02 1.5", false),
    Case("-0.25", "0.25", false), Case("−0.25", "-0.25", true), Case("1.2e-05", "1.2e-04", false),
    Case("a,0.1234567890123456,3", "a,0.1234567890123457,3", isRounded: false, true),
    Case("a,0.1234567890123456,3", "a,0.1234567990123456,3", isRounded: false, false),
    Case("a,0.5", "a,0.6", isRounded: false, false), Case("a,,3", "a,0,3", isRounded: false, false),
  ])
  func judged(_ c: Case) {
    #expect(NumberedText(c.a).agrees(with: NumberedText(c.b), isRounded: c.isRounded) == c.agree)
  }
}
