public import FathomStorage

/// Digests of data sets.
public enum FileDigest {
  /// SHA-256 of a file, 64 lower-case hexadecimal digits.
  /// - Throws: `FathomError` `.noInput` if the file cannot be opened, `.inputOutput` if reading fails.
  public static func sha256(ofFile path: String) throws(FathomError) -> String {
    // A pipe or device would be waited for, or never end.
    _ = try SourceFiles(ofFile: path)
    do throws(FathomError) { return try Digest.sha256(ofFile: path) } catch {
      throw FathomError(
        error.kind == .noInput ? .noInput : .inputOutput, attempted: "compute the SHA-256 of the file",
        file: path, reason: error.reasonWording, advice: error.adviceWording)
    }
  }

  /// SHA-256 of bytes, likewise.
  static func sha256(of bytes: [UInt8]) -> String { Digest.hexadecimal(bytes) }
}
