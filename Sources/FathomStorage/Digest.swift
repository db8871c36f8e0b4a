internal import CFathomCrypto
private import Glibc
private import FathomPlainText

/// SHA-256.
public enum Digest {
  /// SHA-256 of bytes: 32 bytes.
  public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    // It fails only without memory, and then ends the process as Swift's own allocations do: a wrong digest would pass for a right one.
    guard EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1 else { fatalError(Self.lack) }
    return digest
  }

  private static let lack = SystemFault.memoryIsShort.words
  /// 64 lower-case hexadecimal digits of ``sha256(_:)-([UInt8])``.
  public static func hexadecimal(_ bytes: [UInt8]) -> String { text(sha256(bytes)) }

  /// SHA-256 of a file, 64 lower-case hexadecimal digits; reads 128 KiB at a time.
  ///
  /// - Throws: `FathomError` `.noInput` where the file cannot be opened, `.inputOutput` where reading fails, `.noRoom` where memory
  ///   is short.
  public static func sha256(ofFile path: String) throws(FathomError) -> String {
    func failure(_ kind: FathomError.Kind, _ advice: String) -> FathomError {
      FathomError(kind, attempted: "read", place: path, reason: SystemFault.last.words, advice: advice)
    }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(.noInput, "check the path and its permissions") }
    defer { close(descriptor) }
    func requireMemory(_ isDone: Bool) throws(FathomError) {
      if isDone { return }
      throw FathomError(
        .noRoom, attempted: "read", place: path, reason: Self.lack, advice: "free some memory, and try again")
    }
    let context = EVP_MD_CTX_new()
    try requireMemory(context != nil)
    defer { EVP_MD_CTX_free(context) }
    try requireMemory(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1)
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw failure(.inputOutput, "check the disk") }
      if count == 0 { break }
      try requireMemory(EVP_DigestUpdate(context, buffer, count) == 1)
    }
    var digest = [UInt8](repeating: 0, count: 32)
    try requireMemory(EVP_DigestFinal_ex(context, &digest, nil) == 1)
    return text(digest)
  }

  private static func text(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
