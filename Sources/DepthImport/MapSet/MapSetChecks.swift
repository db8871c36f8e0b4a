internal import DepthCore
internal import FathomPlainText
internal import FathomStorage

/// What cannot be meant, found before anything is scored.
struct MapSetChecks {
  let parts: [MapSetSource.Part]
  let rows: [MapSetPlan.Row]

  /// - Throws: `FathomError` `.badData` where a map does not show what its truth shows.
  func requireSizes() throws(FathomError) {
    for part in parts.dropFirst() {
      for row in rows.indices {
        guard let truth = parts[0].size(row), let size = part.size(row) else { continue }
        switch part.role {
        case .prediction: try requireView(size, truth, part, row)
        case .truthMask, .ignoreMask, .mask:
          guard size != truth else { continue }
          throw failure(part, row, "it has \(size) pixels, and its truth \(truth)", "give masks of the truth's size")
        case .truth, .image: break
        }
      }
    }
  }

  private func requireView(
    _ size: RasterSize, _ truth: RasterSize, _ part: MapSetSource.Part, _ row: Int
  ) throws(FathomError) {
    // Networks round to multiples of 14 pixels.
    let slack = Double(max(1, min(14, min(size.width, size.height) / 16)))
    func fits(_ size: RasterSize) -> Bool {
      let height = Double(size.width) * Double(truth.height) / Double(truth.width)
      let width = Double(size.height) * Double(truth.width) / Double(truth.height)
      return abs(height - Double(size.height)) <= slack || abs(width - Double(size.width)) <= slack
    }
    if fits(size) { return }
    if fits(RasterSize(width: size.height, height: size.width)) {
      throw failure(
        part, row, "it has \(size) pixels, and its truth \(truth): it is turned", "save the maps as the truth stands")
    }
    throw failure(
      part, row, "it has \(size) pixels, another aspect than its truth with \(truth)",
      "give maps of the whole picture, not cut or padded")
  }

  private func failure(
    _ part: MapSetSource.Part, _ row: Int, _ reason: String, _ advice: Wording
  ) -> FathomError {
    let path = part.layers[row].map(part.series.path)
    return part.series.setup.failure(path, reason, advice)
  }
}
