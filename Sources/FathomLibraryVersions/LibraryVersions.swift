import FathomTables
import CFathomArchive
import CFathomCairo
import CFathomCrypto
import CFathomOpenEXR
import CFathomPNG
import CFathomTIFF
import CFathomWebP
import DepthDataset
import FathomHDF5
import FathomLinearAlgebra

/// The versions of the libraries that this process uses, as they say it themselves. libdeflate and libjpeg-turbo cannot.
package enum LibraryVersions {
  /// What `--version` prints: the version of Fathom, its commit, a library on each line, the linear algebra that was loaded, and what protects the
  /// processes that read data here.
  package static let described =
    ([Version.current, "build \(Version.build)"] + all.map { "\($0.library) \($0.version)" } + [
      "linear algebra \(LinearAlgebraLibrary.description)",
      "protections of readers: " + ReaderLayers.availableNames.joined(separator: ", "),
    ]).joined(separator: "\n")

  package static let all: [(library: String, version: String)] = [
    ("HDF5", HDF5Version.linked.description), ("LAPACK", LinearAlgebraLibrary.version),
    ("OpenSSL", text(OpenSSL_version(OPENSSL_FULL_VERSION_STRING))),
    ("Cairo", text(cairo_version_string())), ("libpng", text(png_get_libpng_ver(nil))),
    ("libwebp", webP), ("libarchive", lastWord(text(archive_version_string()))), ("OpenEXR", openEXR),
    ("libtiff", lastWord(text(TIFFGetVersion()))),
  ]

  /// A byte for each part of the number.
  private static var webP: String {
    let version = WebPGetEncoderVersion()
    return "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
  }

  private static var openEXR: String {
    var (major, minor, patch): (CInt, CInt, CInt) = (0, 0, 0)
    var extra: UnsafePointer<CChar>?
    exr_get_library_version(&major, &minor, &patch, &extra)
    return "\(major).\(minor).\(patch)"
  }

  private static func text(_ string: UnsafePointer<CChar>?) -> String {
    string.map { String(cString: $0) } ?? "unknown"
  }

  /// The number in "libarchive 3.6.2" and in the first line of "LIBTIFF, Version 4.5.0".
  private static func lastWord(_ words: String) -> String {
    let line = words.split(separator: "\n").first ?? ""
    return line.split(separator: " ").last.map { String($0) } ?? "unknown"
  }
}
