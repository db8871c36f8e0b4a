import DepthCore
import Testing

@testable import DepthDiagnosis

@Suite("Chance among many scenes")
struct ChanceAmongScenesTests {
  private func finding(_ verdict: Finding.Verdict, margin: Double?, supported: String = "opencv") -> Finding {
    var finding = Finding(
      "pose-convention", "Poses", in: "room", verdict: verdict, declared: "arkit", supported: supported,
      summary: "")
    finding.margin = margin
    return finding
  }

  /// So many scenes, some of them contradicting; the verdicts that are left of those.
  private func left(_ contradictions: [Finding], of count: Int) -> Int {
    let confirmed = finding(.confirmed, margin: 5, supported: "arkit")
    let rest = [Finding](repeating: confirmed, count: count - contradictions.count)
    return (contradictions + rest).map { [$0] }.withoutChance.count { $0[0].verdict == .contradicted }
  }

  @Test func aSceneAloneIsTakenAtItsWord() {
    #expect(left([finding(.contradicted, margin: 3)], of: 1) == 1)
    #expect(left([finding(.contradicted, margin: 3.6)], of: 5) == 1)
    #expect(left([finding(.contradicted, margin: 3.1)], of: 5) == 0)
  }

  @Test func oneOfManyNeedsMore() {
    #expect(left([finding(.contradicted, margin: 3.4)], of: 500) == 0)
    #expect(left([finding(.contradicted, margin: 4.5)], of: 500) == 0)
    #expect(left([finding(.contradicted, margin: 4.7)], of: 500) == 1)
    // What was counted needs no statistics.
    #expect(left([finding(.contradicted, margin: nil)], of: 500) == 1)
  }

  @Test func severalThatSayTheSameStand() {
    let one = finding(.contradicted, margin: 3.2)
    #expect(left([one, one, one, one], of: 500) == 0)
    #expect(left([one, one, one, one, one], of: 500) == 5)
    let others = ["opencv", "opencv-inverted", "arkit-inverted", "unknown"].map {
      finding(.contradicted, margin: 3.2, supported: $0)
    }
    #expect(left(others, of: 500) == 0)
  }

  @Test func manyTestsNeedMoreThanOne() {
    let others = (0..<30).map { number in
      var other = finding(.confirmed, margin: 5)
      other.test = "test-\(number)"
      return other
    }
    let wrong = finding(.contradicted, margin: 4)
    #expect([[wrong], []].withoutChance[0][0].verdict == .contradicted)
    #expect([[wrong] + others, []].withoutChance[0][0].verdict == .undecidable)
  }

  @Test func whatIsTakenBackIsSaid() {
    let found =
      ([finding(.contradicted, margin: 3.4)]
      + [Finding](repeating: finding(.confirmed, margin: 5), count: 499))
      .map { [$0] }.withoutChance[0][0]
    #expect(found.verdict == .undecidable && found.correction == nil)
    #expect(found.summary.contains("3.4") && found.summary.contains("500"))
    // A second look changes nothing.
    #expect([[found], []].withoutChance[0][0].summary == found.summary)
  }
}
