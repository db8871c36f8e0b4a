package import DepthCore
package import FathomPictureFiles

/// Coefficients of a lens as OpenCV counts them. Fathom's cameras have none: it says how far pixels lie from where they are taken to be.
package struct LensDistortion {
  private let k: [Double], p1: Double, p2: Double

  /// Models whose coefficients are understood; the first two have none.
  private static let models = [
    "PINHOLE", "SIMPLE_PINHOLE", "PERSPECTIVE", "SIMPLE_RADIAL", "RADIAL", "OPENCV",
  ]

  /// - Parameter model: "OPENCV"; nil where nothing is said.
  /// - Throws: `PictureFault` for fisheyes and other models than a pinhole with a polynomial.
  package init(_ numbers: NamedNumbers, model: String?) throws(PictureFault) {
    if let model, !Self.models.contains(model.uppercased()) {
      throw PictureFault(
        "its camera is \(model), and only pinhole cameras are read: undistort pictures and depth first")
    }
    func one(_ name: String) -> Double { numbers.numbers(name)?.first ?? 0 }
    (k, p1, p2) = (["k1", "k2", "k3", "k4"].map(one), one("p1"), one("p2"))
  }

  /// How far a pixel of the picture's border is moved at most, in pixels.
  package func largestShift(_ camera: RecordedIntrinsics, _ size: RasterSize) -> Double {
    let (w, h) = (Double(size.width), Double(size.height))
    var largest = 0.0
    for place in 0..<16 {
      let step = Double(place % 4) / 4
      let (u, v) = [(step * w, 0), (w, step * h), (w - step * w, h), (0, h - step * h)][place / 4]
      let (x, y) = ((u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy)
      let r = x * x + y * y, scale = r * (k[0] + r * (k[1] + r * (k[2] + r * k[3])))
      let dx = x * scale + 2 * p1 * x * y + p2 * (r + 2 * x * x)
      let dy = y * scale + p1 * (r + 2 * y * y) + 2 * p2 * x * y
      largest = max(largest, (dx * camera.fx * dx * camera.fx + dy * camera.fy * dy * camera.fy).squareRoot())
    }
    return largest
  }
}
