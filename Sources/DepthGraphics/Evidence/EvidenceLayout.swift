internal import DepthCore

/// Where the parts of an evidence picture go, pixels.
struct EvidenceLayout {
  struct PanelPlace {
    var top: Double  // Upper edge of the title.
    var title: [String], caption: [String]
    var image: Rectangle  // Of the background.
  }

  static let title = TextStyle(size: 15, isBold: true)
  static let caption = TextStyle(size: 13, colour: Colour(grey: 0.15))
  private static let margin = 16.0
  let panels: [PanelPlace]
  let bar: SIMD2<Double>  // Upper left corner of the colour bar.
  let width: Int, height: Int

  /// - Parameter canvas: Any; texts are measured on it.
  init(_ picture: EvidencePicture, measuringOn canvas: borrowing Canvas) {
    let panelWidth = Double(max(1, picture.panelWidth))
    let ratio = Double(picture.imageSize.height) / Double(picture.imageSize.width)
    let panelHeight = max(1, (panelWidth * ratio).rounded())
    var titles: [[String]] = [], captions: [[String]] = []
    for panel in picture.panels {
      titles.append(canvas.lines(of: panel.title, width: panelWidth, Self.title))
      captions.append(canvas.lines(of: panel.caption, width: panelWidth, Self.caption))
    }
    // Images stand at one height, however many lines the titles take.
    let titleHeight = Self.title.lineHeight * Double(titles.map(\.count).max() ?? 1)
    let captionHeight = Self.caption.lineHeight * Double(captions.map(\.count).max() ?? 1)
    let imageTop = Self.margin + titleHeight + 4
    panels = zip(titles, captions).enumerated().map { index, texts in
      let x = Self.margin + Double(index) * (panelWidth + Self.margin)
      return PanelPlace(
        top: imageTop - 4 - Self.title.lineHeight * Double(texts.0.count), title: texts.0, caption: texts.1,
        image: Rectangle(x: x, y: imageTop, width: panelWidth, height: panelHeight))
    }
    let right = Self.margin + Double(picture.panels.count) * (panelWidth + Self.margin)
    bar = [right, imageTop]
    width = Int((right + ColourBar(picture.scale).width(on: canvas) + Self.margin).rounded(.up))
    height = Int((imageTop + panelHeight + 6 + captionHeight + Self.margin).rounded(.up))
  }
}
