internal import DepthCore

/// Where the parts of a frame's picture go, pixels.
struct PictureLayout {
  struct PanelPlace { var image: Rectangle, legends: [Rectangle], caption: [String] }
  let panels: [PanelPlace]
  let style: TextStyle  // Of legends and captions; grows with the pictures.
  let width: Int, height: Int
  let margins: [Rectangle]  // Everything but the images.

  /// - Parameter canvas: Any; texts are measured on it.
  init(_ picture: FramePicture, measuringOn canvas: borrowing Canvas) {
    let tallest = picture.panels.map(\.pixels.height).max() ?? 1
    let shorter = picture.panels.map { min($0.pixels.width, $0.pixels.height) }.min() ?? 1
    style = TextStyle(size: max(11, (Double(shorter) / 44).rounded()), colour: Colour(grey: 0.1))
    let margin = picture.isAnnotated ? style.size.rounded() : 0
    var (x, places, below) = (margin, [PanelPlace](), 0.0)
    for panel in picture.panels {
      let image = Rectangle(
        x: x, y: margin, width: Double(panel.pixels.width), height: Double(panel.pixels.height))
      var place = PanelPlace(image: image, legends: [], caption: [])
      var right = image.maxX
      if picture.isAnnotated {
        place.legends = Self.places(of: panel.legends, beside: image, gap: margin, style, on: canvas)
        right = place.legends.map(\.maxX).max() ?? right
        let caption = panel.caption.isEmpty ? [] : canvas.lines(of: panel.caption, width: right - x, style)
        place.caption = caption
        below = max(
          below, Double(caption.count) * style.lineHeight + (caption.isEmpty ? 0 : 0.8 * style.size))
      }
      places.append(place)
      // Whole pixels, so that the next image is drawn pixel for pixel.
      x = right.rounded(.up) + (picture.isAnnotated ? (1.5 * margin).rounded() : 0)
    }
    let lowest = places.flatMap { $0.legends.map(\.maxY) }.max() ?? 0
    let bottom = max(margin + Double(tallest) + max(below, margin), lowest + margin)
    (panels, height) = (places, Int(bottom.rounded(.up)))
    width = Int((x - (picture.isAnnotated ? 0.5 * margin : 0)).rounded(.up))
    margins = Self.around(places.map(\.image), width: Double(width), height: Double(height))
  }

  /// Legends below each other; bars share the height that the others leave.
  private static func places(
    of legends: [Legend], beside image: Rectangle, gap: Double, _ style: TextStyle,
    on canvas: borrowing Canvas
  ) -> [Rectangle] {
    var widest = 0.0
    for legend in legends { widest = max(widest, legend.width(style, on: canvas)) }
    let fixed = legends.filter { !$0.isBar }.reduce(0) { $0 + $1.leastHeight(style) }
    let gaps = 1.5 * style.lineHeight * Double(max(legends.count - 1, 0))
    let bars = Double(legends.count(where: \.isBar))
    let share = bars > 0 ? (image.height - fixed - gaps) / bars : 0
    var (y, places) = (image.y, [Rectangle]())
    for legend in legends {
      let height = legend.isBar ? max(share, legend.leastHeight(style)) : legend.leastHeight(style)
      places.append(Rectangle(x: image.maxX + gap, y: y, width: widest, height: height))
      y += height + 1.5 * style.lineHeight
    }
    return places
  }

  /// The rest of the picture as rectangles: beside each image its column, and above and below it.
  private static func around(_ images: [Rectangle], width: Double, height: Double) -> [Rectangle] {
    var (x, margins) = (0.0, [Rectangle]())
    for image in images {
      margins.append(Rectangle(x: x, y: 0, width: image.x - x, height: height))
      margins.append(Rectangle(x: image.x, y: 0, width: image.width, height: image.y))
      margins.append(Rectangle(x: image.x, y: image.maxY, width: image.width, height: height - image.maxY))
      x = image.maxX
    }
    margins.append(Rectangle(x: x, y: 0, width: width - x, height: height))
    return margins.filter { $0.width > 0 && $0.height > 0 }
  }
}
