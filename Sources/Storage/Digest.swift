internal import CCrypto
private import Glibc
private import PlainText

/// SHA-256.
public enum Digest {
  /// SHA-256 of bytes: 32 bytes.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
    return digest
  }

  /// 64 lower-case hexadecimal digits of ``sha256(_:)-([UInt8])``.
  public static func hexadecimal(_ bytes: [UInt8]) -> String { text(sha256(bytes)) }

  /// SHA-256 of a file, 64 lower-case hexadecimal digits; reads 1 MiB at a time.
  ///
  /// - Throws: `FathomError` `.noInput` where the file cannot be opened, `.inputOutput` where reading fails.
  public static func sha256(ofFile path: String) throws(FathomError) -> String {
    func failure(_ kind: FathomError.Kind, _ advice: String) -> FathomError {
      FathomError(kind, attempted: "read", place: path, reason: SystemReason.words(), advice: advice)
    }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(.noInput, "check the path and its permissions") }
    defer { close(descriptor) }
    guard let context = EVP_MD_CTX_new() else { throw failure(.inputOutput, "free some memory") }
    defer { EVP_MD_CTX_free(context) }
    EVP_DigestInit_ex(context, EVP_sha256(), nil)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure(.inputOutput, "check the disk") }
      if count == 0 { break }
      EVP_DigestUpdate(context, buffer, count)
    }
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return text(digest)
  }

  private static func text(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
