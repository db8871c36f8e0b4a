import Testing
import Yams

@testable import FathomYAMLText

@Suite("YAML of others")
struct YAMLTextTests {
  private func reason(_ text: String) -> String? {
    do throws(YAMLFault) {
      _ = try YAMLText.document(text)
      return nil
    } catch { return error.reason }
  }

  @Test func plainDocumentsAreRead() throws {
    #expect(try YAMLText.document("")?.mapping == nil)
    #expect(try YAMLText.document("a: [1, 2]\n")?["a"]?[1]?.int == 2)
    #expect(try YAMLText.document("a: {b: [c, {d: e}], f: g}\n? h\n: - i\n")?["h"]?[0]?.string == "i")
    // Neither an anchor without an alias, nor stars of patterns.
    let text = "title: R & D\nfiles: ['*.png', \"*a/b\"]\nb: &b 1\nc: ['*c', d]\n"
    #expect(try YAMLText.document(text)?["b"]?.int == 1)
    #expect(try YAMLText.document("time: 1:30")?["time"]?.string == "1:30")
    #expect(try YAMLText.document("day: 2026-11-25:14:25:08")?["day"]?.string == "2026-11-25:14:25:08")
    #expect(try YAMLText.document("mac: 00:11:22:33:44:55")?["mac"]?.string == "00:11:22:33:44:55")
  }

  @Test func aliasesAreRefused() {
    #expect(reason("a: &x [1]\nb: *x\n")?.contains("*x") == true)
    #expect(reason("a: [\u{85}&x [1],\u{2028}*x ]\n")?.contains("*x") == true)
    var chain = "a:\n- &a0 [x]\n"
    for link in 1..<200_000 { chain += "- &a\(link) [*a\(link - 1)]\n" }
    #expect(reason(chain) != nil)
  }

  @Test(arguments: ["? [a]\n: b", "{a: b}: c", "[{{a: b}: c}]", "a:\n  - ? - b", "[[a]: b]"])
  func keysAreWords(_ text: String) {
    #expect(reason(text)?.contains("cannot be a key") == true)
  }

  /// The library's comparison of such keys doubles with every level.
  @Test func keysWithinKeysTakeNoTime() {
    #expect(reason(String(repeating: "? - ", count: 60) + "a\n") != nil)
  }

  @Test(arguments: [("[", "]"), ("{a: ", "}")])
  func levelsHaveABound(_ open: String, _ close: String) {
    func text(_ levels: Int) -> String {
      String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
    }
    #expect(reason(text(64)) == nil)
    #expect(reason(text(65))?.contains("64 deep") == true)
  }

  @Test(arguments: [
    "9223372036854775807:59", "-9223372036854775807:59", "0:0:0:0:0:0:0:0:0:0:0:0",
    "9_223_372_036_854_775_807:59",
    "'9223372036854775807:59'", "\"\\x39223372036854775807:59\"",
    "1:-9223372036854775807", "-+9223372036854775807:1", "-1:-1:-1:-1:-1:-1:-1:-1:-1:-1:-1:-1",
  ])
  func numbersToBase60ThatOverflowAreRefused(_ number: String) {
    #expect(reason("version: \(number)\n")?.contains("base 60") == true)
    #expect(reason("[{a: [1, \(number)]}]\n")?.contains("base 60") == true)
  }

  /// What passes must not end the process where it is taken as a whole number.
  @Test(arguments: ["9999999999999999:9", "999999999999:59:59", "9:9:9:9:9:9:9:9:9", "-9:9:9:9:9:9:9:9:9"])
  func numbersToBase60ThatPassFit(_ number: String) throws {
    #expect(try YAMLText.document("n: \(number)")?["n"]?.int != nil)
  }

  @Test func aFaultIsOneShortLineWhateverTheFile() throws {
    let found = try #require(reason("a: " + String(repeating: "[", count: 100_000)))
    #expect(found.count <= 241)
    let deep =
      String(repeating: "{a: ", count: 50) + "9223372036854775807:59" + String(repeating: "}", count: 50)
    #expect(reason(deep)?.contains("base 60") == true)
  }
}
