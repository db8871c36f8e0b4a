/// How the pixels of one number lie in images.
struct ValueShape {
  let isLine: Bool  // Whether they are rows or columns one pixel thick, as a floor has under a level camera.
  let isAtBorder: Bool  // Whether most of them can be reached from one border of the image through others.

  /// - Parameter maps: Numbers row by row, and sizes.
  init(of value: Float, in maps: some Sequence<(RasterSize, [Float])>) {
    var (count, across, down) = (0, 0, 0)
    var reached = [0, 0, 0, 0]
    for (size, values) in maps {
      let (width, height) = (size.width, size.height)
      for index in values.indices where values[index] == value {
        count += 1
        if index % width + 1 < width, values[index + 1] == value { across += 1 }
        if index + width < values.count, values[index + width] == value { down += 1 }
      }
      let columns = (0..<width).map { x in (0..<height).map { $0 * width + x } }
      let rows = (0..<height).map { y in (0..<width).map { y * width + $0 } }
      for (side, lines) in [columns, columns.map { $0.reversed() }, rows, rows.map { $0.reversed() }]
        .enumerated()
      {
        for line in lines { reached[side] += line.prefix { values[$0] == value }.count }
      }
    }
    isLine = 2 * max(across, down) >= count && 5 * min(across, down) <= max(across, down)
    isAtBorder = reached.contains { 5 * $0 >= 4 * count }
  }

  /// Of the pixels beside those of a number, the share that are as far away, to 5 %; 1 where there are few.
  static func leadingShare(to value: Float, in maps: [DepthMap]) -> Double {
    var (beside, near) = (0, 0)
    for map in maps {
      let (values, width) = (map.values, map.width)
      for index in values.indices where values[index] == value {
        for (step, isInside) in [
          (-1, index % width > 0), (1, index % width + 1 < width), (-width, true), (width, true),
        ] where isInside && values.indices.contains(index + step) {
          let other = values[index + step]
          guard other != value, other > 0, other.isFinite else { continue }
          beside += 1
          if abs(other / value - 1) < 0.05 { near += 1 }
        }
      }
    }
    return beside >= 50 ? Double(near) / Double(beside) : 1
  }
}
