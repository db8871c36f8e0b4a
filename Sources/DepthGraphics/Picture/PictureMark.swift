/// Something of lines and letters that stands on a picture, above its pixels.
public protocol PictureMark: Sendable {
  /// Draws it.
  ///
  /// - Parameters:
  ///   - canvas: Where to; nothing outside the picture is drawn.
  ///   - frame: Where the picture stands. Places in it count in its pixels from its upper left corner.
  func draw(on canvas: borrowing Canvas, in frame: Rectangle)

  /// Draws its letters, after all marks are drawn, so that no line crosses them.
  ///
  /// - Parameters:
  ///   - canvas: As for ``draw(on:in:)``.
  ///   - frame: As for ``draw(on:in:)``.
  func drawLetters(on canvas: borrowing Canvas, in frame: Rectangle)
}

extension PictureMark {
  /// No letters.
  public func drawLetters(on canvas: borrowing Canvas, in frame: Rectangle) {}
}
