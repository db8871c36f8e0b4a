internal import DepthCore
internal import FathomPictureFiles

/// How stored numbers become metres. What is no depth becomes 0.
struct DepthDecoding: Sendable {
  let metresPerUnit: Double
  /// Metres that are added after that.
  let offset: Double
  let invalid: Set<Double>
  let kind: DepthKind
  /// Metres by the count of 16 bits.
  private let table: [Float]

  init(metresPerUnit: Double, offset: Double = 0, invalid: [Double], kind: DepthKind) {
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

  /// A stored number; what is no depth becomes 0.
  private func metres(_ number: Double) -> Float {
    number.isFinite && (number > 0 || offset != 0) && !invalid.contains(number)
      ? Self.metres(number, metresPerUnit, offset) : 0
  }

  /// A map of either form.
  ///
  /// - Throws: `PictureFault` where it wraps.
  func metres(_ map: StoredMap) throws(PictureFault) -> DepthMap {
    switch map {
    case .counts(let counts): try metres(counts)
    case .array(let array, _, _): try metres(array, map.values)
    case .reals(let map):
      Raster(width: map.width, height: map.height, values: map.values.map { metres(Double($0)) })
    }
  }

  /// A map of counts.
  ///
  /// - Throws: `PictureFault` where it wraps.
  func metres(_ map: Raster<UInt16>) throws(PictureFault) -> DepthMap {
    if wraps(map) {
      throw PictureFault(
        "its numbers wrap at 65535: what is \(DepthWords.metres(65_536 * metresPerUnit)) away or more is stored as near"
      )
    }
    return Raster(
      width: map.width, height: map.height,
      values: [Float](unsafeUninitializedCapacity: map.values.count) { values, count in
        for (index, number) in map.values.enumerated() {
          values.initializeElement(at: index, to: table[Int(number)])
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
      width: array.size.width, height: array.size.height,
      values: numbers.map { metres($0) })
  }

  /// Whether neighbours jump from the upper sixteenth of what 16 bits hold into the lowest: a surface that goes on beyond 65535
  /// comes back at 0. Nothing near enough to be the lower side lies in front of something so far that is measured.
  private func wraps(_ map: Raster<UInt16>) -> Bool {
    let (upper, lower) = (UInt16(61_440), UInt16(4_096))
    guard map.values.contains(where: { $0 >= upper && $0 < .max && table[Int($0)] > 0 }) else { return false }
    func isJump(_ a: UInt16, _ b: UInt16) -> Bool {
      let (far, near) = (max(a, b), min(a, b))
      return far >= upper && far < .max && near <= lower && near > 0 && table[Int(near)] > 0
        && table[Int(far)] > 0
    }
    for row in 0..<map.height {
      for column in 0..<map.width {
        let value = map[row, column]
        if column + 1 < map.width, isJump(value, map[row, column + 1]) { return true }
        if row + 1 < map.height, isJump(value, map[row + 1, column]) { return true }
      }
    }
    return false
  }
}

/// Numbers in a user's words.
enum DepthWords {
  /// "585", "319.5"
  static func number(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
  }

  /// "65.536 m"
  static func metres(_ length: Double) -> String {
    let rounded = (length * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded)) m" : "\(rounded) m"
  }
}
