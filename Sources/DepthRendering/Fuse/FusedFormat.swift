import DepthCore
import DepthGraphics

/// Files that fused maps are written as.
public enum FusedFormat: String, Sendable, CaseIterable, Codable {
  /// One HDF5 file.
  case h5
  /// A folder with a file for each frame: numpy's arrays, or OpenEXR with one channel Y, of 32-bit numbers in metres.
  case npy, exr
  /// The same as 16-bit PNG: depth in millimetres, deviation in tenths of a millimetre.
  case png16
  var ending: String { self == .png16 ? "png" : rawValue }  // Ending of a frame's file.

  /// Metres that 1 stands for.
  func metres(of layer: FusedLayer) -> Double {
    guard self == .png16 else { return 1 }
    return layer == .depth ? 0.001 : 0.0001
  }

  /// A map as a file.
  func encode(_ map: DepthMap, _ layer: FusedLayer) throws(GraphicsError) -> [UInt8] {
    switch self {
    case .h5, .npy: return NumpyFile.npy(map)
    case .exr: return EXRFile.encode(map)
    case .png16:
      let unit = metres(of: layer)
      return try PNG.encode(
        Raster(
          width: map.width, height: map.height,
          values: map.values.map { value -> UInt16 in
            let count = (Double(value) / unit).rounded()
            // A value too large for 16 bits is as missing as one that is not there.
            return count >= 0 && count <= 65_535 ? UInt16(count) : 0
          }))
    }
  }
}

/// What is written of a frame.
public enum FusedLayer: String, Sendable, CaseIterable, Codable { case depth, deviation }
