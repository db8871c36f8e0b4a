public import DepthCore

/// A frame drawn for people: one or more panels side by side, each with what its colours mean and a line about itself.
///
/// ```swift
/// let pixels = Raster<RGBA>([try CameraImage(image, size: size), DepthRamp(depth)], size: size)
/// let picture = FramePicture([.init(pixels, legends: [.bar(scale)], caption: "room-01, frame 0")])
/// let png = try picture.png()
/// ```
///
/// Equal values give equal bytes on the same machine.
public struct FramePicture: Sendable {
  /// A view of the frame.
  public struct Panel: Sendable {
    /// What the layers made.
    public var pixels: Raster<RGBA>
    /// Above the pixels, in this order.
    public var marks: [any PictureMark]
    /// Beside them, from top to bottom.
    public var legends: [Legend]
    /// Below them, broken into lines.
    public var caption: String

    public init(
      _ pixels: Raster<RGBA>, marks: [any PictureMark] = [], legends: [Legend] = [], caption: String = ""
    ) {
      (self.pixels, self.marks) = (pixels, marks)
      (self.legends, self.caption) = (legends, caption)
    }
  }

  /// From left to right.
  public var panels: [Panel]
  /// Whether legends and captions are drawn; without them the panels stand next to each other, pixel for pixel.
  public var isAnnotated: Bool

  /// - Precondition: At least one panel.
  public init(_ panels: [Panel], isAnnotated: Bool = true) {
    precondition(!panels.isEmpty, "a picture shows something")
    (self.panels, self.isAnnotated) = (panels, isAnnotated)
  }

  /// The picture as a PNG file. Every pixel that no mark covers is the layers' own, to the last step of channels and
  /// opacity; with legends and captions the whole stands on white.
  /// - Throws: `GraphicsError` where the picture is too large for Cairo (32,767 pixels a side).
  public func png() throws(GraphicsError) -> [UInt8] {
    let layout = try layout()
    let canvas = try Canvas(width: layout.width, height: layout.height, background: nil)
    try draw(layout, on: canvas, isOnWhite: isAnnotated)
    var pixels = try canvas.transparentPixels()
    if !isAnnotated { restore(layout, in: &pixels) }
    return try PNG.encode(pixels)
  }

  /// The picture's pixels, on white.
  /// - Throws: `GraphicsError` as ``png()``.
  public func pixels() throws(GraphicsError) -> Raster<RGB> {
    let layout = try layout()
    let canvas = try Canvas(width: layout.width, height: layout.height)
    try draw(layout, on: canvas, isOnWhite: true)
    return try canvas.pixels()
  }

  /// The picture as an SVG document: layers as an embedded image, boxes, wireframes, legends and letters as vectors.
  /// - Throws: `GraphicsError` as ``png()``.
  public func svg() throws(GraphicsError) -> [UInt8] {
    let layout = try layout()
    return try Canvas.svg(width: layout.width, height: layout.height, background: nil) {
      (canvas) throws(GraphicsError) in try draw(layout, on: canvas, isOnWhite: isAnnotated)
    }
  }

  /// Pixels of the whole.
  /// - Throws: `GraphicsError` where letters cannot be measured.
  public func size() throws(GraphicsError) -> RasterSize {
    let layout = try layout()
    return RasterSize(width: layout.width, height: layout.height)
  }

  private func layout() throws(GraphicsError) -> PictureLayout {
    let ruler = try Canvas(width: 1, height: 1)
    return PictureLayout(self, measuringOn: ruler)
  }

  /// Puts the layers' own pixels back where the canvas shows no more than what Cairo made of them.
  private func restore(_ layout: PictureLayout, in picture: inout Raster<RGBA>) {
    for (panel, place) in zip(panels, layout.panels) {
      let (top, left) = (Int(place.image.y), Int(place.image.x))
      for row in 0..<panel.pixels.height {
        for column in 0..<panel.pixels.width {
          let pixel = panel.pixels[row, column]
          guard picture[top + row, left + column] == RGBA(premultiplied: pixel.premultiplied) else {
            continue
          }
          picture[top + row, left + column] = pixel
        }
      }
    }
  }

  private func draw(
    _ layout: PictureLayout, on canvas: borrowing Canvas, isOnWhite: Bool
  ) throws(GraphicsError) {
    // Beside a legend, colours that let the viewer's own background through would not be the legend's.
    let whole = Rectangle(x: 0, y: 0, width: Double(layout.width), height: Double(layout.height))
    for area in isAnnotated ? [whole] : layout.margins { canvas.fill(area, .white) }
    for (panel, place) in zip(panels, layout.panels) {
      // Opaque pixels are Cairo's own to the last step.
      let pixels = isOnWhite ? panel.pixels.over(RGB(red: 255, green: 255, blue: 255)) : panel.pixels
      try canvas.image(pixels, at: [place.image.x, place.image.y])
      canvas.clipped(to: place.image) {
        for mark in panel.marks { mark.draw(on: canvas, in: place.image) }
        for mark in panel.marks { mark.drawLetters(on: canvas, in: place.image) }
      }
      guard isAnnotated else { continue }
      // Around the pixels, without covering any.
      canvas.stroke(place.image.grown(by: 0.5), Colour(grey: 0.25))
      for (legend, rectangle) in zip(panel.legends, place.legends) {
        legend.draw(on: canvas, in: rectangle, layout.style)
      }
      for (index, line) in place.caption.enumerated() {
        canvas.text(
          line,
          at: [
            place.image.x,
            place.image.maxY + 0.4 * layout.style.size + Double(index + 1) * layout.style.lineHeight,
          ], layout.style)
      }
    }
  }
}
