internal import CFathomCairo
private import Glibc

/// What letters of pictures look like on this machine.
public enum TextFont {
  /// Whether ``Canvas/fontFamily`` is installed; without it, letters are drawn in another font, or in one of Cairo's own.
  ///
  /// The first use should come before other threads write to standard error: fontconfig prints there what it misses, and
  /// is kept from it meanwhile.
  public static let isInstalled: Bool = {
    let (kept, nowhere) = (dup(STDERR_FILENO), open("/dev/null", O_WRONLY))
    if kept >= 0, nowhere >= 0 { dup2(nowhere, STDERR_FILENO) }
    defer {
      if kept >= 0 { dup2(kept, STDERR_FILENO) }
      for descriptor in [kept, nowhere] where descriptor >= 0 { close(descriptor) }
    }
    return letterWidths.map { abs($0 - widths) < 0.02 } ?? true
  }()

  private static let widths = 0.989 + 0.278  // Of "Wi" in DejaVu Sans, heights of the font.

  /// nil where nothing can be drawn, which is for the picture to say.
  private static var letterWidths: Double? {
    guard let canvas = try? Canvas(width: 8, height: 8) else { return nil }
    let height = 100.0
    return canvas.textWidth("Wi", TextStyle(size: height)) / height
  }
}
