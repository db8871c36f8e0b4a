/// Something of lines and letters that stands on a picture, above its pixels.
public protocol PictureMark: Sendable {
  /// Draws it.
  ///
  /// - Parameters:
  ///   - canvas: Where to; nothing outside the picture is drawn.
  ///   - frame: Where the picture stands. Places in it count in its pixels from its upper left corner.
  func draw(on canvas: borrowing Canvas, in frame: Rectangle)
}
