/// Numpy's `.npy` files.
public enum MadeNumpy {
  /// - Parameter shape: As numpy writes it, "6, 8".
  /// - Parameter type: That of the values in numpy's words; `<f4` are `Float`.
  /// - Parameter order: Whether the first axis is the fastest, in Python's words.
  public static func array<Number: BitwiseCopyable>(
    _ values: [Number], _ shape: String, type: String = "<f4", order: String = "False"
  ) -> [UInt8] {
    let header = "{'descr': '\(type)', 'fortran_order': \(order), 'shape': (\(shape)), }"
    let padded = header + String(repeating: " ", count: 117 - header.utf8.count) + "\n"
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(padded.utf8.count), 0] + Array(padded.utf8)
      + values.withUnsafeBytes { Array($0) }
  }
}
