import FathomPlainText
import Testing

@Suite("What a word was meant to be")
struct EditDistanceTests {
  @Test(
    "a slip of the keyboard, another case, a shorter form",
    arguments: [
      ("evalute", ["compare", "evaluate"], "evaluate"), ("hubber", ["tukey", "huber"], "huber"),
      ("OLS", ["wls", "ols"], "ols"), ("mae", ["rmse_m", "mae_m", "mae_m_measured"], "mae_m"),
      ("absrel", ["abs_rel", "sq_rel"], "abs_rel"),
    ])
  func found(_ word: String, _ known: [String], _ meant: String) {
    #expect(EditDistance.suggestion(for: word, among: known) == meant)
  }

  @Test(
    "nothing is suggested where nothing is near",
    arguments: ["xyzzy", "", "q", String(repeating: "long", count: 1000)])
  func none(_ word: String) {
    #expect(EditDistance.suggestion(for: word, among: ["huber", "ols", "lad"]) == nil)
  }
}
