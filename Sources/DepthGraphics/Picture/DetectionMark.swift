/// A detected object: its box, and in the middle of it, line by line, what is known of it: "cup 95%", "2.30 m".
public struct DetectionMark: PictureMark {
  /// The box, pixels of the picture.
  public var box: Rectangle
  /// From top to bottom.
  public var lines: [String]
  /// The app's green.
  public static let colour = Colour(red: 0, green: 1, blue: 0)
  public init(box: Rectangle, lines: [String]) { (self.box, self.lines) = (box, lines) }

  /// Where the letters go.
  struct Placement: Equatable {
    var plate: Rectangle  // A dark ground that makes letters legible on every picture.
    var baselines: [SIMD2<Double>]  // Middle of each line's baseline.
  }

  /// Height of capital letters of DejaVu Sans, in sizes of the font: what the eye centres by.
  private static let capitals = 0.729

  /// Letters grow with the picture.
  static func style(in frame: Rectangle) -> TextStyle {
    TextStyle(size: max(10, (min(frame.width, frame.height) / 42).rounded()), isBold: true, colour: .white)
  }

  /// The block of lines is centred on the box, and moved only to keep it inside the picture.
  func placement(in frame: Rectangle, measuringOn canvas: borrowing Canvas) -> Placement {
    let style = Self.style(in: frame)
    var widest = 0.0
    for line in lines { widest = max(widest, canvas.textWidth(line, style)) }
    let (width, height) = (widest + style.size, Double(lines.count) * style.lineHeight + 0.3 * style.size)
    func start(_ centre: Double, _ extent: Double, _ low: Double, _ length: Double) -> Double {
      low + max(0, min(centre - extent / 2, length - extent))
    }
    let plate = Rectangle(
      x: start(box.x + box.width / 2, width, frame.x, frame.width),
      y: start(box.y + box.height / 2, height, frame.y, frame.height), width: width, height: height)
    let baselines = lines.indices.map { index in
      let middle = plate.y + 0.15 * style.size + (Double(index) + 0.5) * style.lineHeight
      return SIMD2(plate.x + width / 2, middle + Self.capitals * style.size / 2)
    }
    return Placement(plate: plate, baselines: baselines)
  }

  public func draw(on canvas: borrowing Canvas, in frame: Rectangle) {
    let style = Self.style(in: frame)
    let width = max(1.5, style.size / 7)
    let shown = Rectangle(x: frame.x + box.x, y: frame.y + box.y, width: box.width, height: box.height)
    canvas.stroke(shown, Colour(grey: 0, alpha: 0.5), width: 2 * width)
    canvas.stroke(shown, Self.colour, width: width)
  }

  public func drawLetters(on canvas: borrowing Canvas, in frame: Rectangle) {
    let style = Self.style(in: frame)
    let placement = placement(in: frame, measuringOn: canvas)
    canvas.fill(placement.plate, Colour(grey: 0, alpha: 0.55))
    for (line, point) in zip(lines, placement.baselines) {
      canvas.text(line, at: point, style, anchor: .centre)
    }
  }
}
