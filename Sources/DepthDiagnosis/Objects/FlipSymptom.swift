import DepthCore
import DepthFusion
import DepthObjects

/// What one sees where the flips that a file declares are not the right ones, with the scene's own numbers.
enum FlipSymptom {
  /// - Parameter right: Flips that are right, and their row of the table.
  /// - Parameter declared: Flips that were made instead, and theirs.
  /// - Returns: "" where they are the same.
  static func text(
    right: (flips: RowFlips, row: FlipRow), declared: (flips: RowFlips, row: FlipRow)
  ) -> String {
    var parts: [String] = []
    if right.flips.boxToDepth != declared.flips.boxToDepth
      || right.flips.depthToMask != declared.flips.depthToMask
    {
      parts.append("depths come from the wrong rows")
    }
    if right.flips.depthToImage != declared.flips.depthToImage {
      let by = declared.row.thirdFlipShiftCentimetres.map { " by \(centimetres($0))" } ?? ""
      parts.append("points are shifted\(by) up or down the image, which is sideways in portrait")
    }
    guard !parts.isEmpty else { return "" }
    let numbers = comparisons(declared.row, right.row)
    guard !numbers.isEmpty else { return parts.joined(separator: "; ") }
    return parts.joined(separator: "; ") + " (as declared → with these flips: "
      + numbers.joined(separator: ", ") + ")"
  }

  /// What differs between two rows of the table, in words.
  private static func comparisons(_ before: FlipRow, _ after: FlipRow) -> [String] {
    let values: [(String, Double?, Double?, (Double) -> String)] = [
      ("depths in the object's true range", before.depthAgreement, after.depthAgreement, percent),
      ("masks in their boxes", before.maskInBox, after.maskInBox, percent),
      ("objects with depths under their mask", before.maskedShare, after.maskedShare, percent),
      ("outlines on edges of depth", before.outlineOnEdges, after.outlineOnEdges, percent),
      ("points in the true box", before.pointsInTrueBox, after.pointsInTrueBox, percent),
      ("box centres off across the ray", before.lateralCentimetres, after.lateralCentimetres, centimetres),
      ("and along it", before.alongRayCentimetres, after.alongRayCentimetres, centimetres),
    ]
    return values.compactMap { name, before, after, text in
      guard let before, let after, text(before) != text(after) else { return nil }
      return "\(name) \(text(before)) → \(text(after))"
    }
  }

  private static func percent(_ share: Double) -> String { "\(Int(saturating: (100 * share).rounded())) %" }
  private static func centimetres(_ value: Double) -> String { "\(Int(saturating: value.rounded())) cm" }
}
