import Testing

@testable import FathomPlainText

@Suite("Limits")
struct LimitValueTests {
  @Test("a length, a percentage, a number; nothing else")
  func values() {
    #expect(LimitValue("10mm") == .length(0.01) && LimitValue("2cm") == .length(0.02))
    #expect(LimitValue("1.5m") == .length(1.5) && LimitValue("0.5%") == .share(0.005))
    #expect(LimitValue("0.01") == .number(0.01) && LimitValue("0") == .number(0))
    for text in ["", "m", "%", "-1mm", "1 apple", "nan", "inf", "5km", "mm10"] {
      #expect(LimitValue(text) == nil, "\(text)")
    }
  }
}
