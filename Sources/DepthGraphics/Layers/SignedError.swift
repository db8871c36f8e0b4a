public import DepthCore
import FathomDrawingScales

/// Signed differences in diverging colours that the colour-blind can read: blue too near, brown too far.
///
/// Each pixel of the differences' raster is drawn as a rectangle, because it is a measurement. What has no difference
/// is grey, which the colours do not contain, or transparent over a picture.
public struct SignedError: PictureLayer {
  /// Predicted less reference depth, metres; NaN where there is none.
  public var differences: Raster<Float>
  /// Largest magnitude with a colour of its own, metres.
  public var limit: Double
  /// 0…1.
  public var opacity: Float
  /// Colour of what has no difference; nil for transparent.
  public var missing: RGB?
  /// The grey of what has no value.
  public static let noValue = RGB(red: 112, green: 112, blue: 112)

  /// - Precondition: `limit` is positive; `opacity` is 0…1.
  public init(_ differences: Raster<Float>, limit: Double, opacity: Float = 1, missing: RGB? = noValue) {
    precondition(limit > 0, "errors have a magnitude")
    precondition((0...1).contains(opacity), "an opacity is 0…1")
    (self.differences, self.limit) = (differences, limit)
    (self.opacity, self.missing) = (opacity, missing)
  }

  /// Colours and their meaning, in millimetres where the limit is below a metre.
  public static func scale(limit: Double, label: String = "error") -> ColourScale {
    limit < 1
      ? ColourScale(.vik, range: -1000 * limit...1000 * limit, label: label, unit: "mm")
      : ColourScale(.vik, range: -limit...limit, label: label, unit: "m")
  }

  public func draw(on picture: inout Raster<RGBA>) {
    let rows = NearestRows(differences, size: picture.size)
    let scale = ColourScale(.vik, range: -limit...limit, label: "")
    picture.blend(scale, opacity: opacity, missing: missing, sampling: rows.read)
  }

  /// A prediction's difference from a reference at every pixel of the reference, as metrics compare them (domain §3):
  /// read bilinearly between pixel centres, clamped at the edges; NaN where either has no value.
  /// - Parameter prediction: Metres, any resolution.
  /// - Parameter reference: Metres, usually the truth.
  /// - Parameter isNearest: Whether the prediction is read at its nearest pixel instead.
  public static func differences(
    of prediction: DepthMap, from reference: DepthMap, isNearest: Bool = false
  ) -> Raster<Float> {
    let known = prediction.knownDepths
    var values = [Float](repeating: .nan, count: reference.values.count)
    func set(_ index: Int, _ depth: Double) {
      let truth = reference.values[index]
      if truth > 0, truth.isFinite, depth.isFinite { values[index] = Float(depth - Double(truth)) }
    }
    if isNearest {
      for row in 0..<reference.height {
        for column in 0..<reference.width {
          set(row * reference.width + column, Double(known.nearest(row, column, of: reference.size)))
        }
      }
    } else {
      BilinearSampler(source: reference.size, target: known.size).forEachSample(of: known, set)
    }
    return Raster(width: reference.width, height: reference.height, values: values)
  }
}
