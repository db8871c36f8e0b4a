public import DepthCore

/// On which of the three ways between boxes, LiDAR, mask and image the rows are turned over: the app's three Y flips
/// (domain §5).
///
/// The app's detector saw its image upside down, so its boxes and masks count rows from the bottom, and its
/// unprojection has y upwards. A missing flip shows as wrong depths (the first two) or a shift (the third).
public struct RowFlips: Sendable, Hashable, Codable {
  /// Box row → LiDAR row. Right where boxes count from the bottom.
  public var boxToDepth: Bool
  /// LiDAR row → mask row. Right where masks count from the bottom.
  public var depthToMask: Bool
  /// LiDAR row → image v, counted from the bottom, for an unprojection whose y points up. Always right: LiDAR rows
  /// count from the top. Without it points are mirrored about the principal point's row.
  public var depthToImage: Bool
  /// Whether the third flip turns cy too, which is exact. The app's code leaves cy as it is, and so shifts points by
  /// (H − 2cy)/fy·z upwards.
  public var turnsPrincipalPoint: Bool

  public init(
    boxToDepth: Bool, depthToMask: Bool, depthToImage: Bool = true, turnsPrincipalPoint: Bool = true
  ) {
    (self.boxToDepth, self.depthToMask) = (boxToDepth, depthToMask)
    (self.depthToImage, self.turnsPrincipalPoint) = (depthToImage, turnsPrincipalPoint)
  }

  /// The flips that conventions call for.
  public init(for conventions: DetectionConventions) {
    self.init(
      boxToDepth: conventions.boxOrigin == .bottomLeft, depthToMask: conventions.maskOrigin == .bottomLeft)
  }

  /// As the app's code has them: all three, cy as it is.
  public static let app = RowFlips(boxToDepth: true, depthToMask: true, turnsPrincipalPoint: false)

  /// The eight combinations of the three; cy is turned with v.
  public static let combinations: [RowFlips] = (0..<8).map {
    RowFlips(boxToDepth: $0 & 1 != 0, depthToMask: $0 & 2 != 0, depthToImage: $0 & 4 != 0)
  }

  /// The image row, from the top, whose ray these flips give a point at row `v`; `v` itself where they are right.
  public func unprojectedRow(_ v: Double, _ intrinsics: CameraIntrinsics) -> Double {
    let height = Double(intrinsics.imageSize.height)
    switch (depthToImage, turnsPrincipalPoint) {
    case (true, true): return v
    case (true, false): return v + 2 * intrinsics.cy - height
    case (false, _): return 2 * intrinsics.cy - v
    }
  }
}

extension RowFlips: OptionValue {
  public static var form: String { "app for the app's code, or any of box, mask, image, none" }

  /// From `app`, `none`, or `box`, `mask` and `image` with commas between them.
  public static func reading(_ text: String) -> RowFlips? {
    if text == "app" { return .app }
    let words = text == "none" ? [] : text.split(separator: ",").map(String.init)
    guard text == "none" || !words.isEmpty, words.allSatisfy(["box", "mask", "image"].contains)
    else { return nil }
    return RowFlips(
      boxToDepth: words.contains("box"), depthToMask: words.contains("mask"),
      depthToImage: words.contains("image"))
  }

  public var typed: String {
    if self == .app { return "app" }
    let words = [(boxToDepth, "box"), (depthToMask, "mask"), (depthToImage, "image")].filter(\.0).map(\.1)
    return words.isEmpty ? "none" : words.joined(separator: ",")
  }
}
