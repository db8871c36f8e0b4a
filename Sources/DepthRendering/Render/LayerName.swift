package import FathomPlainText
package import DepthCore

/// Something that a picture shows.
public enum LayerName: String, Sendable, CaseIterable, Codable {
  case image, ramp, bands, turbo, viridis, confidence, fog, error, residual, deviation
  case standardizedError = "standardized-error"
  case validity, detections, wireframe
  /// Whether it shows the chosen source's depth, a wireframe by the boxes that are fitted to it.
  package var showsSource: Bool { ![.image, .confidence].contains(self) }
  /// Whether `--near` and `--far` are its ends.
  package var hasDepthRange: Bool { [.ramp, .turbo, .viridis].contains(self) }
  package var hasOpacity: Bool {
    hasDepthRange || isDifference || [.bands, .standardizedError, .validity].contains(self)
  }
  /// Whether it shows the standard deviation that the source states.
  package var needsDeviation: Bool { self == .deviation || self == .standardizedError }
  /// Whether `--error-limit` is its end.
  package var isDifference: Bool { [.error, .residual, .deviation].contains(self) }
  /// Whether it only changes or stands on a picture, which is then the camera's.
  package var needsPicture: Bool { [.fog, .detections, .wireframe].contains(self) }
  /// Other words for them: what a newcomer calls the depth is its default colours.
  package static let aliases = ["depth": LayerName.turbo]

  /// Reads a list from bottom to top.
  /// - Throws: `OptionProblem` for the first word that names nothing or stands twice.
  package static func parse(_ text: String, _ option: OptionName) throws(OptionProblem) -> [LayerName] {
    var layers: [LayerName] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let layer = LayerName(rawValue: word) ?? aliases[word] else {
        let advice = EditDistance.advice(for: word, among: allCases.map(\.rawValue) + aliases.keys.sorted())
        throw OptionProblem(option, "there is no '\(word)'; \(advice)")
      }
      if layers.contains(layer) { throw OptionProblem(option, "'\(word)' stands twice") }
      if layer == .image, let hidden = layers.first {
        throw OptionProblem(option, "image hides '\(hidden.rawValue)' under it; name image first")
      }
      layers.append(layer)
    }
    return layers
  }
}
