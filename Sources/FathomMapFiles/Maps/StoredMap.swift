package import DepthCore

package enum StoredMap: Sendable {
  /// Whole numbers without a sign, of at most 16 bits.
  case counts(Raster<UInt16>)
  /// One map of numpy's array.
  case array(NumpyArray, bytes: [UInt8], layer: Int)
  case reals(Raster<Float>)

  package var size: RasterSize {
    switch self {
    case .counts(let map): map.size
    case .array(let array, _, _): array.size
    case .reals(let map): map.size
    }
  }

  /// The numbers, row by row.
  package var values: [Double] {
    switch self {
    case .counts(let map): map.values.map { Double($0) }
    case .array(let array, let bytes, let layer): array.values(bytes, layer: layer)
    case .reals(let map): map.values.map { Double($0) }
    }
  }

  /// The numbers as reals of single precision.
  package var reals: Raster<Float> {
    switch self {
    case .counts(let map): Raster(width: map.width, height: map.height, values: map.values.map { Float($0) })
    case .array(let array, let bytes, let layer):
      Raster(
        width: size.width, height: size.height,
        values: array.floats(bytes, layer: layer) ?? values.map { Float($0) })
    case .reals(let map): map
    }
  }
}
