public import DepthCore
import Foundation

/// Whether K belongs to the image size that is declared beside it: a camera sees 20° to 120°, and its axis passes the
/// middle third of the image. Where it does not, the sizes of the scene's arrays are tried.
public struct IntrinsicsSizeConvention: Convention {
  public init() {}

  private static let (id, title) = ("intrinsics-size", "Image size of K")
  private static let property = "image_size of camera"
  /// Degrees.
  private static let fieldOfView = 20.0...120.0
  private static let middleThird = 1.0 / 3...2.0 / 3
  /// From the image's middle, in shares of its sides: an explanation must be better than plausible, and than the next.
  private static let (nearMiddle, leastLead) = (0.08, 0.03)
  /// Of cameras, where no array shows the size.
  private static let commonSizes = [
    RasterSize(width: 1920, height: 1440), RasterSize(width: 1440, height: 1080),
    RasterSize(width: 1280, height: 960), RasterSize(width: 960, height: 720),
    RasterSize(width: 640, height: 480), RasterSize(width: 1920, height: 1080),
    RasterSize(width: 1280, height: 720), RasterSize(width: 4032, height: 3024),
  ]
  /// Arrays that have another shape than the image are cut, not resized.
  private static let sameShape = 0.03

  /// A size that K may be of.
  private struct Candidate {
    var id: String, words: String
    var factor: SIMD2<Double>
    var offset: Double
  }

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    func finding(
      _ verdict: Finding.Verdict, _ supported: String?, _ summary: String, fix: String? = nil,
      correction: Correction? = nil
    ) -> [Finding] {
      [
        Finding(
          Self.id, Self.title, in: scene, verdict: verdict,
          declared: verdict == .notTestable ? nil : "\(scene.intrinsics?.imageSize.description ?? "")",
          supported: supported, summary: summary, fix: fix, correction: correction, property: Self.property)
      ]
    }
    guard let k = scene.intrinsics else { return finding(.notTestable, nil, "the scene has no intrinsics") }
    guard !Self.isPlausible(k) else {
      return finding(.confirmed, k.imageSize.description, Self.words(k) + ", as cameras have it")
    }
    let found = Self.candidates(k, scene).sorted { $0.offset < $1.offset }
    let rivals = found.dropFirst().filter { other in
      abs(Foundation.log(other.factor.x / (found.first?.factor.x ?? 1))) > Self.sameShape
        && other.offset < (found.first?.offset ?? 0) + Self.leastLead
    }
    guard let best = found.first, rivals.isEmpty else {
      return finding(
        .undecidable, nil,
        "\(Self.words(k)), which few cameras have; "
          + (found.isEmpty
            ? "no size of the scene's arrays explains it"
            : "K may be \(found.map(\.words).joined(separator: ", or "))"))
    }
    let right = Correction.intrinsicsSize(x: best.factor.x, y: best.factor.y)
    return finding(
      .contradicted, best.id,
      "K is \(best.words), but image_size is \(k.imageSize): with that \(Self.words(k)). What it looks like: points "
        + "lie far beside where they were seen",
      fix: "multiply fx and cx by \(best.factor.x.rounded3), fy and cy by \(best.factor.y.rounded3), "
        + "or set image_size to that of K",
      correction: right)
  }

  /// "it sees 159° × 152°, its axis passes at 7 % and 7 % of width and height".
  private static func words(_ k: CameraIntrinsics) -> String {
    let (x, y) = (fieldOfView(k.imageSize.width, k.fx), fieldOfView(k.imageSize.height, k.fy))
    let (u, v) = (100 * k.cx / Double(k.imageSize.width), 100 * k.cy / Double(k.imageSize.height))
    return "it sees \(Int(saturating: x.rounded()))° × \(Int(saturating: y.rounded()))°, its axis passes at "
      + "\(Int(saturating: u.rounded())) % of the width and \(Int(saturating: v.rounded())) % of the height"
  }

  private static func fieldOfView(_ side: Int, _ focal: Double) -> Double {
    2 * Foundation.atan2(Double(side) / 2, focal) * 180 / .pi
  }

  /// Public for those who read a file without its frames.
  public static func isPlausible(_ k: CameraIntrinsics) -> Bool {
    let size = k.imageSize
    return fieldOfView.contains(fieldOfView(max(size.width, size.height), size.width >= size.height ? k.fx : k.fy))
      && middleThird.contains(k.cx / Double(size.width)) && middleThird.contains(k.cy / Double(size.height))
  }

  private static func candidates(_ k: CameraIntrinsics, _ scene: SceneHeader) -> [Candidate] {
    let image = k.imageSize
    let arrays: [(String, RasterSize?)] = [
      ("lidar", scene.lidarSize), ("image", scene.colourSize), ("relative", scene.relativeSize),
      ("truth", scene.truthSize),
      ("half", RasterSize(width: image.width / 2, height: image.height / 2)),
      ("double", RasterSize(width: 2 * image.width, height: 2 * image.height)),
    ]
    let common = commonSizes.flatMap { [$0, RasterSize(width: $0.height, height: $0.width)] }
      .map { ("size", Optional($0)) }
    return (arrays + common).compactMap { name, size in
      guard let size, size != image, size.width > 0, size.height > 0 else { return nil }
      let factor = SIMD2(
        Double(image.width) / Double(size.width), Double(image.height) / Double(size.height))
      guard abs(Foundation.log(factor.x / factor.y)) < sameShape else { return nil }
      let right = Correction.scaled(k, factor.x, factor.y)
      let offset = max(
        abs(right.cx / Double(image.width) - 0.5), abs(right.cy / Double(image.height) - 0.5))
      guard isPlausible(right), offset <= nearMiddle else { return nil }
      let id = ["half", "double"].contains(name) ? name : "of-\(name)-\(size.width)x\(size.height)"
      let words =
        name == "size"
        ? "that of an image of \(size)"
        : name == "half"
        ? "that of an image of half the size"
        : name == "double" ? "that of an image of twice the size" : "that of an image of \(size), the size of the \(name) maps"
      return Candidate(id: id, words: words, factor: factor, offset: offset)
    }
  }
}
