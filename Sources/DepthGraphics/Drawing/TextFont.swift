internal import CCairo
private import Glibc

/// Whether this machine can draw letters.
public enum TextFont {
  /// Checks that some font is installed, so that a long run can say so before it starts.
  ///
  /// Call it before other threads write to standard error: fontconfig prints there what it misses, and is kept from it
  /// meanwhile.
  ///
  /// - Throws: `GraphicsError` where there is none, so that pictures would have no letters.
  public static func require() throws(GraphicsError) {
    guard try quietly(hasLetters) else {
      throw GraphicsError(
        operation: "write on pictures",
        reason: "no font is installed; install one, such as DejaVu Sans (Debian: fonts-dejavu-core)")
    }
  }

  private static func hasLetters() throws(GraphicsError) -> Bool {
    let canvas = try Canvas(width: 64, height: 64)
    let blank = try canvas.png()
    canvas.text("Wg", at: SIMD2(8, 48), TextStyle(size: 32))
    return try canvas.png() != blank
  }

  private static func quietly(_ work: () throws(GraphicsError) -> Bool) throws(GraphicsError) -> Bool {
    let (kept, nowhere) = (dup(STDERR_FILENO), open("/dev/null", O_WRONLY))
    if kept >= 0, nowhere >= 0 { dup2(nowhere, STDERR_FILENO) }
    defer {
      if kept >= 0 { dup2(kept, STDERR_FILENO) }
      for descriptor in [kept, nowhere] where descriptor >= 0 { close(descriptor) }
    }
    return try work()
  }
}
