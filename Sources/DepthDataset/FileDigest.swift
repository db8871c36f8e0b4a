internal import CCrypto
private import Glibc

/// Digests of whole files.
public enum FileDigest {
  /// SHA-256 of a file, 64 lower-case hexadecimal digits; reads 1 MiB at a time.
  ///
  /// - Throws: `DatasetError` `.noInput` if the file cannot be opened, `.inputOutput` if reading fails.
  public static func sha256(ofFile path: String) throws(DatasetError) -> String {
    // A pipe or device would be waited for, or never end.
    _ = try SourceFiles(ofFile: path)
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(.noInput, path, "check the path and its permissions") }
    defer { close(descriptor) }
    guard let context = EVP_MD_CTX_new() else { throw failure(.inputOutput, path, "free some memory") }
    defer { EVP_MD_CTX_free(context) }
    EVP_DigestInit_ex(context, EVP_sha256(), nil)

    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure(.inputOutput, path, "check the disk") }
      if count == 0 { break }
      EVP_DigestUpdate(context, buffer, count)
    }
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return hexadecimal(digest)
  }

  /// SHA-256 of bytes, likewise.
  static func sha256(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    return hexadecimal(digest)
  }

  private static func hexadecimal(_ digest: [UInt8]) -> String {
    digest.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  private static func failure(_ kind: DatasetError.Kind, _ path: String, _ advice: String) -> DatasetError {
    DatasetError(
      kind, attempted: "compute the SHA-256 of the file", file: path,
      reason: String(cString: strerror(errno)),
      advice: advice)
  }
}
