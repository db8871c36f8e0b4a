import FathomPlainText
import Foundation
import Testing

@Suite("Sentences that name options")
struct WordingTests {
  private let advice: Wording = "choose another \(option: "output") or add \(option: "overwrite"), \(2) times"

  @Test("a program reads names, who typed a command reads flags")
  func spelling() {
    #expect(advice.description == "choose another output or add overwrite, 2 times")
    #expect(advice.onCommandLine == "choose another --output or add --overwrite, 2 times")
    let file = "--depth.h5"
    let shown: Wording = "\(file): \(advice); 'fathom tune \(flag: "resume")' continues"
    #expect(
      shown.description
        == "--depth.h5: choose another output or add overwrite, 2 times; 'fathom tune --resume' continues")
    #expect(
      shown.onCommandLine
        == "--depth.h5: choose another --output or add --overwrite, 2 times; 'fathom tune --resume' continues"
    )
    #expect("fathom tune \(flag: "resume")" == "fathom tune --resume")
  }

  @Test("equal sentences are equal however they were put together")
  func equality() {
    let (first, second) = ("choose another ", OptionName("output"))
    let whole: Wording = "\(first)\(option: second) or add \(option: "overwrite"), 2 times"
    #expect(whole == advice && Wording("a \(1)") == "a \(1)")
    #expect(Wording("choose another output or add overwrite, 2 times") != advice)
  }

  @Test("files hold what people read; another process gets the options themselves")
  func coding() throws {
    let encoder = JSONEncoder()
    let text = try encoder.encode(["advice": advice])
    #expect(
      String(decoding: text, as: UTF8.self)
        == #"{"advice":"choose another --output or add --overwrite, 2 times"}"#)
    #expect(
      try JSONDecoder().decode([String: Wording].self, from: text)["advice"]?.description
        == advice.onCommandLine)
    encoder.userInfo[try #require(Wording.keepsOptions)] = true
    let kept = try encoder.encode(["advice": advice])
    #expect(try JSONDecoder().decode([String: Wording].self, from: kept)["advice"] == advice)
  }
}
