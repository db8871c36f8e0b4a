import Foundation
package import FathomPlainText

/// What a file is that no recording consists of, by its first bytes.
package enum ForeignFile {
  /// "a MATLAB 7.3 file"; nil for what may belong to a recording, and for what cannot be read.
  package static func kind(of path: String) -> String? {
    var status = stat()
    // A pipe would be waited for.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let handle = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    else { return nil }
    defer { try? handle.close() }
    return kind([UInt8]((try? handle.read(upToCount: places[places.count - 1] + signature.count)) ?? Data()))
  }

  /// The same of a file's first bytes; 2056 are enough.
  package static func kind(_ bytes: [UInt8]) -> String? {
    let isHDF5 = isHDF5(beginning: bytes)
    // MATLAB writes its name before what HDF5 writes.
    let isMATLAB = bytes.starts(with: Array("MATLAB ".utf8))
    return !isHDF5
      ? nil : isMATLAB ? "a MATLAB 7.3 file, which is HDF5 with tables of its own" : hdf5
  }

  package static let hdf5 = "an HDF5 file"

  package static let advice: Wording =
    "'fathom inspect FILE' shows its arrays and proposes a mapping; check it and give it with \(option: "mapping")"

  /// Whether a file is HDF5, as MATLAB 7.3 files are.
  package static func isHDF5(_ path: String) -> Bool { kind(of: path)?.contains("HDF5") ?? false }

  static func isHDF5(beginning bytes: [UInt8]) -> Bool {
    places.contains { bytes.dropFirst($0).starts(with: signature) }
  }

  private static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Offsets where HDF5 looks for its signature, up to the last one tried here.
  private static let places = [0, 512, 1024, 2048]
}
