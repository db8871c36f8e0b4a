import DepthCore
import DepthFusion
import Glibc
import FathomLZFSE
import FathomPictureFiles
import FathomPlainText
import FathomStorage
import FathomYAMLText
import Yams

@testable import DepthImport
@testable import FathomMapFiles

/// The parsers of our own that strangers' bytes reach. A parser may refuse; it must not end the process.
enum FuzzedParser {
  typealias Body = @Sendable ([UInt8]) -> Void

  /// The one that the variable FATHOM_FUZZ_PARSER names.
  static let chosen: Body = {
    let name = getenv("FATHOM_FUZZ_PARSER").map { String(cString: $0) } ?? ""
    guard let parser = all[name] else {
      fatalError("set FATHOM_FUZZ_PARSER to one of \(all.keys.sorted().joined(separator: ", "))")
    }
    return parser
  }()

  static let all: [String: Body] = [
    "mapping": { bytes in _ = try? MappingFile.mapping(text(bytes), named: "m.yaml") },
    "calibration": { bytes in
      guard let document = try? YAMLText.document(text(bytes)) else { return }
      _ = document["version"]?.int
      let calibration = try? YAMLDecoder().decode(Calibration.self, from: document)
      _ = calibration?.firstProblem
    },
    "lzfse": { bytes in _ = try? LZFSE.decoded(bytes, limit: 1 << 20) },
    "pfm": { bytes in
      guard let size = try? PFMReader.size(bytes), size.count <= mostPixels else { return }
      _ = try? PFMReader.map(bytes)
    },
    "npy": { bytes in
      numpy(bytes)
      _ = try? NamedNumbers(bytes)
    },
    "npz": { bytes in
      _ = try? NamedNumbers(bytes)
      guard let archive = try? NumpyArchive(bytes) else { return }
      for key in archive.keys.prefix(4) { if let array = try? archive.array(key) { numpy(array) } }
    },
    "png": { bytes in
      try? PNGReader.requireWhole(bytes)
      guard let header = try? PNGReader.header(bytes), header.size.count <= mostPixels else { return }
      _ = try? PNGReader.grey(bytes)
      _ = try? PNGReader.colour(bytes)
    },
    "csv": { bytes in
      _ = try? NumberTable(text(bytes))
      _ = try? NamedNumbers(bytes)
      var reader = CSVReader(text(bytes))
      var row = CSVRow()
      while (try? reader.next(&row)) == true { _ = row.texts }
    },
    "json": { bytes in
      _ = try? NamedNumbers(bytes)
      guard let value = try? JSONValue(text: text(bytes)) else { return }
      _ = value.flattened
    },
  ]

  /// Larger pictures only take time.
  private static let mostPixels = 1 << 18

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func numpy(_ bytes: [UInt8]) {
    guard let array = try? NumpyArray(bytes, allowsStacks: true), array.size.count <= mostPixels,
      array.layerCount > 0
    else { return }
    _ = array.values(bytes, layer: array.layerCount - 1)
  }
}

/// Called by entry.c, which libFuzzer calls.
@_cdecl("fathom_fuzz")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  FuzzedParser.chosen(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
