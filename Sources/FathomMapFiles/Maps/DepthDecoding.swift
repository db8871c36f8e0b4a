package import DepthCore
package import FathomPictureFiles
package import FathomPlainText

/// How stored numbers become metres. What is not a depth becomes 0.
package struct DepthDecoding: Sendable {
  package let metresPerUnit: Double
  /// Metres that are added after that.
  package let offset: Double
  package let invalid: Set<Double>, kind: DepthKind
  /// The option that names numbers without depth.
  private let invalidOption: OptionName
  /// Metres by the count of 16 bits.
  private let table: [Float]

  package init(
    metresPerUnit: Double, offset: Double = 0, invalid: [Double], kind: DepthKind,
    invalidOption: OptionName = "invalid"
  ) {
    self.invalidOption = invalidOption
    // Reals are read with the precision of float32, as the list of those that are none must be.
    let invalid = Set(invalid + invalid.map { Double(Float($0)) })
    (self.metresPerUnit, self.offset, self.invalid, self.kind) = (metresPerUnit, offset, invalid, kind)
    var table = (0...Int(UInt16.max)).map { Self.metres(Double($0), metresPerUnit, offset) }
    for number in self.invalid { if let count = UInt16(exactly: number) { table[Int(count)] = 0 } }
    // What the recorder could not write: it was cut there, or set to all ones.
    table[Int(UInt16.max)] = 0
    self.table = table
  }

  /// 1/5000 is 0.0002 with an error, and 5000 without one.
  private static func metres(_ number: Double, _ unit: Double, _ offset: Double) -> Float {
    let perMetre = (1 / unit).rounded()
    let isExact = abs(1 / unit - perMetre) <= 1e-9 * perMetre && perMetre >= 1
    let metres = Float((isExact ? number / perMetre : number * unit) + offset)
    return metres > 0 ? metres : 0
  }

  /// A stored number; what is not a depth becomes 0.
  private func metres(_ number: Double) -> Float {
    number.isFinite && (number > 0 || offset != 0) && !invalid.contains(number)
      ? Self.metres(number, metresPerUnit, offset) : 0
  }

  /// A map of either form.
  /// - Throws: `PictureFault` where it wraps.
  package func metres(_ map: StoredMap) throws(PictureFault) -> DepthMap {
    switch map {
    case .counts(let counts): try metres(counts)
    case .array(let array, _, _): try metres(array, map.values)
    case .reals(let map):
      Raster(width: map.width, height: map.height, values: map.values.map { metres(Double($0)) })
    }
  }

  /// A map of counts.
  /// - Throws: `PictureFault` where it wraps.
  func metres(_ map: Raster<UInt16>) throws(PictureFault) -> DepthMap {
    let jumps = jumps(map)
    if let fill = fill(map, jumps) {
      throw PictureFault(
        "\(fill.share) % of its pixels are exactly \(fill.number), and no other number is that frequent: it means no depth; say so with `\(flag: invalidOption) \(fill.number)`"
      )
    }
    if !jumps.isEmpty {
      throw PictureFault(
        "its numbers wrap at 65535: what is \(DepthWords.metres(65_536 * metresPerUnit)) away or more is stored as near"
      )
    }
    return Raster(
      width: map.width, height: map.height,
      values: [Float](unsafeUninitializedCapacity: map.values.count) { values, count in
        table.withUnsafeBufferPointer { table in
          map.values.withUnsafeBufferPointer { numbers in
            for index in numbers.indices {
              values.initializeElement(at: index, to: table[Int(numbers[index])])
            }
          }
        }
        count = map.values.count
      })
  }

  /// A map of reals or other integers.
  private func metres(_ array: NumpyArray, _ numbers: [Double]) throws(PictureFault) -> DepthMap {
    if array.type.hasSuffix("u2") {
      return try metres(
        Raster(width: array.size.width, height: array.size.height, values: numbers.map { UInt16($0) }))
    }
    return Raster(
      width: array.size.width, height: array.size.height, values: numbers.map { metres($0) })
  }

  /// The one number in the upper sixteenth, where most of its neighbours are not what comes next on a surface that goes on beyond
  /// 65535: it stands for no depth. nil where there are several.
  private func fill(
    _ map: Raster<UInt16>, _ jumps: [(near: UInt16, far: UInt16)]
  ) -> (number: UInt16, share: Double)? {
    guard let number = jumps.first?.far else { return nil }
    let far = map.values.filter { $0 >= Self.upper && $0 < .max && table[Int($0)] > 0 }
    // A step of 2 %.
    let steps = jumps.count { 65_536 - Int($0.far) + Int($0.near) <= 1_310 }
    guard far.allSatisfy({ $0 == number }), 2 * steps < jumps.count else { return nil }
    return (number, (Double(far.count) * 1000 / Double(map.values.count)).rounded() / 10)
  }

  /// Counts from which on, and up to which, neighbours jump where a map wraps.
  private static var upper: UInt16 { 61_440 }
  private static var lower: UInt16 { 4_096 }

  /// Neighbours that jump from the upper sixteenth of what 16 bits hold into the lowest: a surface that goes on beyond 65535
  /// comes back at 0. Nothing near enough to be the lower side lies in front of something so far that is measured.
  private func jumps(_ map: Raster<UInt16>) -> [(near: UInt16, far: UInt16)] {
    let isFar = { (count: UInt16) in count >= Self.upper && count < .max && table[Int(count)] > 0 }
    // In vectors and without the table: in nearly all maps no number is so large. The largest of all comes to 0.
    let largest = map.values.withUnsafeBufferPointer { numbers in
      var largest: UInt16 = 0
      for index in numbers.indices { largest = max(largest, numbers[index] &+ 1) }
      return largest
    }
    guard largest > Self.upper, map.values.contains(where: isFar) else { return [] }
    var jumps: [(near: UInt16, far: UInt16)] = []
    func add(_ a: UInt16, _ b: UInt16) {
      let (far, near) = (max(a, b), min(a, b))
      guard isFar(far), near <= Self.lower, near > 0, table[Int(near)] > 0 else { return }
      jumps.append((near, far))
    }
    for row in 0..<map.height {
      for column in 0..<map.width {
        let value = map[row, column]
        if column + 1 < map.width { add(value, map[row, column + 1]) }
        if row + 1 < map.height { add(value, map[row + 1, column]) }
      }
    }
    return jumps
  }
}

/// Numbers in a user's words.
package enum DepthWords {
  /// "585", "319.5"
  package static func number(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
  }

  /// "65.536 m"
  static func metres(_ length: Double) -> String {
    let rounded = (length * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded)) m" : "\(rounded) m"
  }

  /// Three digits: "3.36", "0.672", "16.8".
  package static func significant(_ number: Double) -> String {
    guard number != 0, number.isFinite else { return Self.number(number) }
    var (scale, size) = (1.0, abs(number))
    while size < 100, scale < 1e6 { (scale, size) = (scale * 10, size * 10) }
    return Self.number((number * scale).rounded() / scale)
  }
}
