/// Something of lines and letters that stands on a picture, above its pixels.
public protocol PictureMark: Sendable {
  /// Draws it.
  /// - Parameter canvas: Where to; nothing outside the picture is drawn.
  /// - Parameter frame: Where the picture stands. Places in it count in its pixels from its upper left corner.
  func draw(on canvas: borrowing Canvas, in frame: Rectangle)
  /// Draws its letters, after all marks are drawn, so that no line crosses them.
  func drawLetters(on canvas: borrowing Canvas, in frame: Rectangle)
}

extension PictureMark {
  /// No letters.
  public func drawLetters(on canvas: borrowing Canvas, in frame: Rectangle) {}
}
