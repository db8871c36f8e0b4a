public import DepthCore
public import DepthObjects

/// Boxes that belong together: those of one method, or the true ones.
public struct BoxGroup: Sendable {
  /// Where its boxes come from.
  public enum Origin: Sendable, Hashable {
    /// The data set's true boxes.
    case truth
    /// Fitted by the method of this id.
    case method(String)
  }
  public var origin: Origin
  /// sRGB; of all its boxes.
  public var colour: RGB
  public var boxes: [LabelledBox]

  public init(_ origin: Origin, colour: RGB, boxes: [LabelledBox]) {
    (self.origin, self.colour, self.boxes) = (origin, colour, boxes)
  }

  /// "truth", or "fitted_" and the method.
  public var name: String {
    switch origin {
    case .truth: "truth"
    case .method(let id): "fitted_\(id)"
    }
  }

  /// Colours that people of any colour vision tell apart (Okabe & Ito 2008): bluish green for the truth, the others for
  /// methods in their order.
  public static func colour(of origin: Origin, position: Int) -> RGB {
    switch origin {
    case .truth: return RGB(red: 0, green: 158, blue: 115)
    case .method:
      let palette = [
        RGB(red: 230, green: 159, blue: 0), RGB(red: 86, green: 180, blue: 233),
        RGB(red: 204, green: 121, blue: 167), RGB(red: 0, green: 114, blue: 178),
        RGB(red: 213, green: 94, blue: 0), RGB(red: 240, green: 228, blue: 66),
      ]
      return palette[position % palette.count]
    }
  }
}

public struct LabelledBox: Sendable {
  /// Class of the object: "cup".
  public var label: String
  /// Detector confidence, 0…1.
  public var score: Float
  /// As the app writes it on the object, metres: the median depth; of a true box the planar depth of its centre.
  public var distance: Double
  /// Frame that it was seen in, as reports name it.
  public var frame: String
  public var box: PosedBox
  /// How it was fitted, in words; nil for a true box.
  public var reason: String?

  public init(
    label: String, score: Float, distance: Double, frame: String, box: PosedBox, reason: String? = nil
  ) {
    (self.label, self.score, self.distance) = (label, score, distance)
    (self.frame, self.box, self.reason) = (frame, box, reason)
  }
}
