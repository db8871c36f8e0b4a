import DepthCore
import DepthDataset
import Foundation

/// Whether K belongs to the image size that is declared beside it: a camera sees 20° to 120°, and its axis passes the
/// middle third of the image. Where it does not, the sizes of the scene's arrays are tried.
public struct IntrinsicsSizeConvention: Convention {
  public let correctable = ["intrinsics-size"]

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let scene = sample.header
    let finding = SceneTest(
      "intrinsics-size", "Image size of K", in: scene, declares: scene.intrinsics?.imageSize.description,
      property: "image_size of camera")
    guard let k = scene.intrinsics else { return finding(.notTestable, nil, "the scene has no intrinsics") }
    guard !IntrinsicsSize.isPlausible(k) else {
      if let scale = IntrinsicsSize.apparentScale(k) {
        return finding(
          .undecidable, nil,
          IntrinsicsSize.words(k)
            + ": as of a cropped image, or as K of an image \(scale.rounded2) times the size")
      }
      return finding(.confirmed, k.imageSize.description, IntrinsicsSize.words(k) + ", as cameras have it")
    }
    let found = IntrinsicsSize.candidates(k, scene)
    guard let best = IntrinsicsSize.explanation(of: k, scene) else {
      if let scale = IntrinsicsSize.apparentScale(k), found.isEmpty,
        IntrinsicsSize.isPlausible(Correction.scaled(k, 1 / scale, 1 / scale))
      {
        return finding(
          .contradicted, "of-another-size",
          "\(IntrinsicsSize.words(k)): as K of an image of about \(scale.rounded2) times the size",
          fix: "set image_size to that of the image that K was made for, or scale fx, fy, cx and cy")
      }
      if IntrinsicsSize.isImpossible(k) {
        return finding(
          .noReadingFits, nil, "\(IntrinsicsSize.words(k)), which no camera that measures depth has",
          fix: "see whether fx and fy are pixels: half the width over the tangent of half the field of view")
      }
      return finding(
        .undecidable, nil,
        "\(IntrinsicsSize.words(k)), which few cameras have; "
          + (found.isEmpty
            ? "no size of the scene's arrays explains it"
            : "K may be \(found.map(\.words).joined(separator: ", or "))"))
    }
    let right = Correction.intrinsicsSize(x: best.factor.x, y: best.factor.y)
    return finding(
      .contradicted, best.id,
      "K is \(best.words), but image_size is \(k.imageSize): with that \(IntrinsicsSize.words(k)). What it looks like: points "
        + "lie far beside where they were seen",
      fix: "multiply fx and cx by \(best.factor.x.rounded3), fy and cy by \(best.factor.y.rounded3), "
        + "or set image_size to that of K",
      correction: right)
  }
}
