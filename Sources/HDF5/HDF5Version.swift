internal import CHDF5

/// A release of the HDF5 library.
public struct HDF5Version: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Its three numbers.
  public let major: Int, minor: Int, release: Int

  /// A release.
  public init(major: Int, minor: Int, release: Int) {
    (self.major, self.minor, self.release) = (major, minor, release)
  }

  /// "1.10.8".
  public var description: String { "\(major).\(minor).\(release)" }

  /// The library that this program runs with.
  public static let linked: HDF5Version = {
    var (major, minor, release) = (UInt32(0), UInt32(0), UInt32(0))
    _ = try? HDF5Library.call("H5get_libversion", on: "the library") {
      H5get_libversion(&major, &minor, &release)
    }
    return HDF5Version(major: Int(major), minor: Int(minor), release: Int(release))
  }()

  /// Earlier is less.
  public static func < (a: HDF5Version, b: HDF5Version) -> Bool {
    (a.major, a.minor, a.release) < (b.major, b.minor, b.release)
  }
}
