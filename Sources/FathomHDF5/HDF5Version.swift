internal import CFathomHDF5

/// A release of the HDF5 library.
public struct HDF5Version: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let major: Int, minor: Int, release: Int

  public init(major: Int, minor: Int, release: Int) {
    (self.major, self.minor, self.release) = (major, minor, release)
  }

  /// "1.10.8".
  public var description: String { "\(major).\(minor).\(release)" }
  /// The library that this program runs with.
  public static let linked: HDF5Version = HDF5Version(inWords: constant) ?? asked
  /// The text that the library holds for this, "HDF5 library version: 1.10.8". Reading it sets nothing up: a program that reads its
  /// data in another process never starts the library.
  private static var constant: String { chdf5_version_text().map { String(cString: $0) } ?? "" }

  /// What the library says when it is asked, for which it sets itself up.
  static var asked: HDF5Version {
    var (major, minor, release) = (UInt32(0), UInt32(0), UInt32(0))
    _ =
      try? HDF5Library
      .call("H5get_libversion", on: "the library") { H5get_libversion(&major, &minor, &release) }
    return HDF5Version(major: Int(major), minor: Int(minor), release: Int(release))
  }

  /// The first three numbers of a text's last word: "1.14.4.3" and "1.10.8-patch1" are 1.14.4 and 1.10.8.
  init?(inWords text: String) {
    guard let last = text.split(separator: " ").last else { return nil }
    let numbers = last.prefix { $0.isNumber || $0 == "." }.split(separator: ".").map { Int($0) }
    guard numbers.count >= 3, let major = numbers[0], let minor = numbers[1], let release = numbers[2]
    else { return nil }
    self.init(major: major, minor: minor, release: release)
  }

  public static func < (a: HDF5Version, b: HDF5Version) -> Bool {
    (a.major, a.minor, a.release) < (b.major, b.minor, b.release)
  }
}
