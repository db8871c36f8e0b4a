import CFathomKernels

/// How far the numbers about each pixel of a map lie apart.
enum WindowRange {
  /// Largest minus smallest number within `reach` rows and columns of each pixel, NaN omitted; NaN where all are.
  static func of(_ values: [Float], width: Int, reach: Int) -> [Float] {
    let height = width > 0 ? values.count / width : 0
    return withUnsafeTemporaryAllocation(of: Float.self, capacity: window_range_room(width, height)) { room in
      [Float](unsafeUninitializedCapacity: values.count) { result, initialized in
        values.withUnsafeBufferPointer { values in
          guard let from = values.baseAddress, let room = room.baseAddress, let to = result.baseAddress
          else { return }
          window_range(from, width, height, reach, room, to)
          initialized = width * height
        }
      }
    }
  }
}
