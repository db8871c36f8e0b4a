package import DepthCore

/// The guided filter with a colour image as guide: K. He, J. Sun, X. Tang, "Guided Image Filtering", ECCV 2010, equations 14 to 16.
///
/// In the window around each pixel the map is fitted by a linear function of the three channels, 0…1, whose coefficients are held
/// small by ``epsilon``. The coefficients of all windows that hold a pixel are averaged. Windows end at the edges of the map.
package struct GuidedFilter: Sendable, Hashable {
  /// A window has 2·radius + 1 pixels a side.
  package var radius = 8
  package var epsilon = 0.001

  package init() {}
  package init(radius: Int, epsilon: Double) { (self.radius, self.epsilon) = (radius, epsilon) }

  /// - Parameter guide: Of the map's size.
  package func filtered(_ map: DepthMap, guide: Raster<RGB>) -> DepthMap {
    let box = BoxWindow(map.size, radius: radius)
    /// Red, green, blue, and the map's value.
    func pixel(_ index: Int) -> SIMD4<Double> {
      let colour = guide.values[index]
      return SIMD4(
        Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255,
        Double(map.values[index]))
    }
    // Sums of 1, rgb and the map; of the products of channels; of channels and the map.
    var moments = map.values.indices.map { index -> SIMD16<Double> in
      let p = pixel(index), (r, g, b, y) = (p[0], p[1], p[2], p[3])
      return SIMD16(1, r, g, b, y, r * r, r * g, r * b, g * g, g * b, b * b, r * y, g * y, b * y, 0, 0)
    }
    moments = box.sums(moments)
    // Three slopes and a level for each window; each pixel takes the mean of those that hold it.
    let lines = moments.map { sums -> SIMD4<Double> in
      let m = sums / sums[0]
      let (a, b, c) = (m[5] - m[1] * m[1] + epsilon, m[6] - m[1] * m[2], m[7] - m[1] * m[3])
      let (d, e, f) = (m[8] - m[2] * m[2] + epsilon, m[9] - m[2] * m[3], m[10] - m[3] * m[3] + epsilon)
      let right = SIMD3(m[11] - m[1] * m[4], m[12] - m[2] * m[4], m[13] - m[3] * m[4])
      // The inverse of a symmetric matrix by its cofactors: epsilon keeps it positive definite.
      let (p, q, r) = (d * f - e * e, c * e - b * f, b * e - c * d)
      let (s, t, u) = (a * f - c * c, b * c - a * e, a * d - b * b)
      let slopes =
        SIMD3(
          (SIMD3(p, q, r) * right).sum(), (SIMD3(q, s, t) * right).sum(), (SIMD3(r, t, u) * right).sum())
        / (a * p + b * q + c * r)
      return SIMD4(slopes, m[4] - (slopes * SIMD3(m[1], m[2], m[3])).sum())
    }
    let values = box.sums(lines).enumerated().map { index, line in
      let p = pixel(index)
      return Float((line * SIMD4(p[0], p[1], p[2], 1)).sum() / moments[index][0])
    }
    return DepthMap(width: map.width, height: map.height, values: values)
  }
}
