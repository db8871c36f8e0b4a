import ArgumentParser
import PlainText

/// The words of `--layer`.
enum LayerName: String, CaseIterable, Codable {
  case image, ramp, bands, turbo, viridis, confidence, fog, error, residual, validity, detections, wireframe

  /// Whether it shows the chosen source's depth, a wireframe by the boxes that are fitted to it.
  var showsSource: Bool { ![.image, .confidence].contains(self) }
  /// Whether `--near` and `--far` are its ends.
  var hasDepthRange: Bool { [.ramp, .turbo, .viridis].contains(self) }
  /// Whether it has one opacity.
  var hasOpacity: Bool { hasDepthRange || [.bands, .error, .residual, .validity].contains(self) }
  /// Whether `--error-limit` is its end.
  var isDifference: Bool { self == .error || self == .residual }
  /// Whether it only changes or stands on a picture, which is then the camera's.
  var needsPicture: Bool { [.fog, .detections, .wireframe].contains(self) }

  /// Reads a list from bottom to top.
  ///
  /// - Throws: `ValidationError` for the first word that names nothing or stands twice.
  static func parse(_ text: String, _ option: String) throws -> [LayerName] {
    var layers: [LayerName] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard let layer = LayerName(rawValue: word) else {
        let advice = EditDistance.advice(for: word, among: allCases.map(\.rawValue))
        throw ValidationError("\(option): there is no '\(word)'; \(advice)")
      }
      if layers.contains(layer) { throw ValidationError("\(option): '\(word)' stands twice") }
      if layer == .image, let hidden = layers.first {
        throw ValidationError("\(option): image hides '\(hidden.rawValue)' under it; name image first")
      }
      layers.append(layer)
    }
    return layers
  }
}
