public import DepthCore

/// Panels side by side that show why the data support a convention: the same points, or the same map, as declared
/// and as supported, under one colour scale.
///
/// ```swift
/// let picture = EvidencePicture(
///   panels: [declared, supported], imageSize: intrinsics.imageSize,
///   scale: ColourScale(range: 0.5...4, label: "depth", unit: "m"))
/// let png = try picture.png()
/// ```
///
/// Equal values give equal bytes on the same machine.
public struct EvidencePicture: Sendable {
  /// From left to right.
  public var panels: [Panel]
  /// The image that points are counted in; its sides give the panels' shape.
  public var imageSize: RasterSize
  /// Colours of the points and of relative maps, with the colour bar's name and unit.
  public var scale: ColourScale
  /// Width of each panel, pixels. Texts have a fixed size, so that they are legible at 100 %.
  public var panelWidth = 480
  /// Radius of a point, pixels.
  public var pointRadius = 1.8

  /// - Precondition: At least one panel; `imageSize` has pixels.
  public init(panels: [Panel], imageSize: RasterSize, scale: ColourScale) {
    precondition(!panels.isEmpty, "a picture shows at least one panel")
    precondition(imageSize.width > 0 && imageSize.height > 0, "an image has pixels")
    (self.panels, self.imageSize, self.scale) = (panels, imageSize, scale)
  }

  /// The picture as a PNG file.
  /// - Throws: `GraphicsError` where the picture or a background is too large for Cairo (32,767 pixels a side) or has no pixels.
  public func png() throws(GraphicsError) -> [UInt8] {
    let ruler = try Canvas(width: 1, height: 1)
    return try drawn(EvidenceLayout(self, measuringOn: ruler)).png()
  }

  func drawn(_ layout: EvidenceLayout) throws(GraphicsError) -> Canvas {
    let canvas = try Canvas(width: layout.width, height: layout.height)
    for (index, panel) in panels.enumerated() { try draw(panel, layout.panels[index], on: canvas) }
    let first = layout.panels[0].image
    ColourBar(scale).draw(on: canvas, at: layout.bar, height: first.height)
    return canvas
  }

  private func draw(
    _ panel: Panel, _ place: EvidenceLayout.PanelPlace, on canvas: borrowing Canvas
  ) throws(GraphicsError) {
    write(place.title, EvidenceLayout.title, at: [place.image.x, place.top], on: canvas)
    try BackgroundPainter(background: panel.background, scale: scale).paint(in: place.image, on: canvas)
    drawPoints(panel, place.image, on: canvas)
    canvas.stroke(place.image, Colour(grey: 0.25))
    write(place.caption, EvidenceLayout.caption, at: [place.image.x, place.image.maxY + 6], on: canvas)
  }

  private func drawPoints(_ panel: Panel, _ frame: Rectangle, on canvas: borrowing Canvas) {
    let (sx, sy) = (frame.width / Double(imageSize.width), frame.height / Double(imageSize.height))
    // Nothing of a dot at the edge reaches into the neighbouring panel.
    canvas.clipped(to: frame) {
      for point in panel.points {
        draw(point, at: [frame.x + point.u * sx, frame.y + point.v * sy], on: canvas)
      }
    }
  }

  private func draw(_ point: ProjectedPoint, at centre: SIMD2<Double>, on canvas: borrowing Canvas) {
    guard centre.x.isFinite, centre.y.isFinite else { return }
    // A dark rim separates a dot from a background of the same lightness.
    canvas.dot(centre, radius: pointRadius + 0.6, Colour(grey: 0, alpha: 0.55))
    let colour = scale.colour(of: point.value).map { Colour($0) } ?? .white
    canvas.dot(centre, radius: pointRadius, colour)
  }

  private func write(
    _ lines: [String], _ style: TextStyle, at corner: SIMD2<Double>, on canvas: borrowing Canvas
  ) {
    for (index, line) in lines.enumerated() {
      canvas.text(line, at: [corner.x, corner.y + style.size + Double(index) * style.lineHeight], style)
    }
  }
}
