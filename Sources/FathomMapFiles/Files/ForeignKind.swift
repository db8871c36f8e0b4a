package import FathomPlainText

/// A kind of files that no recording and no data set is, by their first bytes.
package struct ForeignKind: Sendable {
  /// "a ROS bag"
  package let title: String
  private let remedy: Remedy
  private let begins: @Sendable (_ first: [UInt8], _ ending: String) -> Bool

  /// The kind of a file; nil for maps, texts, archives, HDF5 and what is not known.
  package init?(_ first: [UInt8], ending: String) {
    guard let kind = Self.all.first(where: { $0.begins(first, ending) }) else { return nil }
    self = kind
  }

  private enum Remedy {
    /// A recording of ROS, which the Python package converts.
    case convert
    /// Another program reads the depth in it.
    case export(Wording)
    /// There is no depth in it.
    case replace(Wording)
  }

  private init(
    _ title: String, _ remedy: Remedy,
    _ begins: @escaping @Sendable (_ first: [UInt8], _ ending: String) -> Bool
  ) { (self.title, self.remedy, self.begins) = (title, remedy, begins) }

  /// What to give instead of a file or folder.
  package func advice(for path: String) -> Wording {
    switch remedy {
    case .convert:
      "convert it with 'python -m fathom.bags \(path.shellQuoted) FOLDER', which pip install 'fathom-depth[bags]' brings, and give FOLDER"
    case .export(let advice), .replace(let advice): advice
    }
  }

  /// Whether it is a recording of ROS.
  package var isOfROS: Bool { if case .convert = remedy { true } else { false } }
  /// Whether there is depth in it that only another program reads.
  package var isReadElsewhere: Bool { if case .export = remedy { true } else { false } }

  /// The kind that a survey calls so.
  package static func called(_ title: String) -> ForeignKind? { all.first { $0.title == title } }

  /// What stands in the place of a file that did not come, and is text; nil for all else.
  package static func leftover(_ first: [UInt8]) -> ForeignKind? { leftovers.first { $0.begins(first, "") } }

  private static let leftovers = [
    ForeignKind(
      "a pointer of Git LFS, which 'git lfs pull' replaces by the file",
      .replace("run it where the files were cloned")
    ) { first, _ in has("version https://git-lfs", first) },
    ForeignKind("a web page, as a failed download leaves it", again) { first, _ in
      ["<!doctype html", "<html"].contains { page in
        first.prefix(page.utf8.count).elementsEqual(page.utf8) { $0 | 0x20 == $1 | 0x20 }
      }
    },
  ]

  private static let all = leftovers + others

  private static let others = [
    ForeignKind("an empty file", again) { first, _ in first.isEmpty },
    ForeignKind("a ROS bag", .convert) { first, _ in has("#ROSBAG", first) },
    ForeignKind("an MCAP file", .convert) { first, _ in first.starts(with: [0x89, 0x4D, 0x43, 0x41, 0x50]) },
    ForeignKind("an SQLite database, as ROS 2 records", .convert) { first, _ in has("SQLite format 3", first)
    },
    ForeignKind(
      "a ScanNet .sens file",
      .export(
        "unpack it with ScanNet's SensReader, and give the folder of its color, depth, pose and intrinsic")
    ) { first, ending in ending == "sens" && first.starts(with: [4, 0, 0, 0]) },
    ForeignKind("a RAR archive", unpack) { first, _ in has("Rar!", first) },
    ForeignKind("a 7z archive", unpack) { first, _ in first.starts(with: [0x37, 0x7A, 0xBC, 0xAF]) },
    ForeignKind("a packed file", unpack) { first, _ in
      // bzip2, xz, Zstandard
      [[0x42, 0x5A, 0x68], [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD]]
        .contains { first.starts(with: $0) }
    },
    ForeignKind(
      "a HEIC picture",
      .export("write the depth in it to a TIFF or PNG of 16 bits, and give the folder of these")
    ) { first, ending in
      has("ftyp", first, at: 4) && ["heic", "heif", "avif"].contains(ending)
    },
    ForeignKind("a video", folder) { first, _ in
      has("ftyp", first, at: 4) || first.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
        || has("RIFF", first) && has("AVI ", first, at: 8)
    },
    ForeignKind("a mesh or a point cloud", folder) { first, ending in
      has("ply", first) || has("glTF", first) || has("# .PCD", first)
        || ["obj", "usdz", "pcd", "las", "laz"].contains(ending)
    },
    ForeignKind("a Python pickle, which would be code", .export("save its arrays with numpy.save")) {
      first, _ in
      // PyTorch's are zips that begin with one.
      first.count > 1 && first[0] == 0x80 && (2...5).contains(first[1])
        || has("PK", first) && String(decoding: first.prefix(200), as: UTF8.self).contains("/data.pkl")
    },
    ForeignKind(
      "a MATLAB 5 file",
      .export("save it in MATLAB with -v7.3, or its arrays in Python with scipy.io.loadmat and numpy.save")
    ) { first, _ in has("MATLAB ", first) && !ForeignFile.isHDF5(beginning: first) },
    ForeignKind(
      "a Parquet table, as Hugging Face stores data sets",
      .export(
        "write its maps and pictures to files, as with load_dataset of Python's datasets and PIL's save")
    ) { first, _ in has("PAR1", first) },
    ForeignKind("a PDF", folder) { first, _ in has("%PDF", first) },
  ]

  private static let again: Remedy = .replace("copy or download it again")
  private static let unpack: Remedy = .export("unpack it and give the folder, or pack it as zip or tar")
  private static let folder: Remedy = .replace("give the folder of the recording, with its depth as maps")

  private static func has(_ text: String, _ first: [UInt8], at place: Int = 0) -> Bool {
    first.dropFirst(place).starts(with: Array(text.utf8))
  }
}
