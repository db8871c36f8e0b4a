internal import DepthCore
internal import FathomPictureFiles

/// Maps written as text.
extension MapFormat {
  /// Rows of numbers, in any of the ways that ``NumberTable`` reads. Rows of fewer than 24 are cameras and poses.
  package static let table = MapFormat(
    "CSV", endings: [],
    begins: { first in
      guard let line = String(decoding: first, as: UTF8.self).split(whereSeparator: \.isNewline).first,
        line.first.map({ $0.isNumber || "+-.nN \t".contains($0) }) ?? false
      else { return false }
      let words = line.split { ",;".contains($0) || $0.isWhitespace }.dropLast()
      return words.count > 22 && words.allSatisfy { Double($0) != nil }
    }
  ) { (path) throws(PictureFault) in
    let table = try NumberTable(try FileBytes.text(path)), width = table.rows.first?.count ?? 0
    if let line = table.cutLine { throw PictureFault("its line \(line) breaks off") }
    if let row = table.rows.firstIndex(where: { $0.count != width }) {
      throw PictureFault("its row \(row + 1) has \(table.rows[row].count) numbers, and the first \(width)")
    }
    return real(RasterSize(width: width, height: table.rows.count), table.rows.joined().map { Float($0) })
  }

  /// OpenCV's matrices, as `cv::FileStorage` writes them in YAML: the one with a usual name, or the only one. Smaller ones than 16×16 are
  /// those of cameras.
  package static let openCV = MapFormat(
    "OpenCV's YAML", endings: [],
    begins: { first in
      first.starts(with: Array("%YAML".utf8))
        && matrices(String(decoding: first, as: UTF8.self)).isEmpty == false
    }
  ) { (path) throws(PictureFault) in
    let found = matrices(try FileBytes.text(path)), keys = found.map(\.name)
    let name = try MapKeys.key(among: keys)
    guard let matrix = found.first(where: { $0.name == name })
    else { throw PictureFault("it has no '\(name)'") }
    guard matrix.type.count == 1, "ucswifd".contains(matrix.type) else {
      throw PictureFault(
        "its matrix '\(name)' has numbers of the type '\(matrix.type)', and a map one a pixel")
    }
    let words = matrix.data.split { "[],".contains($0) || $0.isWhitespace }
    let values = words.compactMap { word in
      // ".Nan", "-.Inf"
      Float(word) ?? (word.contains { $0.isNumber } ? nil : Float(word.replacing(".", with: "").lowercased()))
    }
    guard values.count == words.count, values.count == matrix.size.count
    else { throw PictureFault("its matrix '\(name)' of \(matrix.size) holds \(values.count) numbers") }
    return real(matrix.size, values, bits: "uc".contains(matrix.type) ? 8 : 32, keys: keys)
  }

  private static func real(
    _ size: RasterSize, _ values: [Float], bits: Int = 32, keys: [String] = []
  ) -> MapFile {
    let header = MapHeader(size: size, bits: bits, form: "numbers as text", keys: keys)
    return MapFile(header) { (_) in .reals(Raster(width: size.width, height: size.height, values: values)) }
  }

  private typealias Matrix = (name: String, size: RasterSize, type: String, data: Substring)

  private static func matrices(_ text: String) -> [Matrix] {
    let parts = text.split(separator: "!!opencv-matrix", omittingEmptySubsequences: false)
    return zip(parts, parts.dropFirst()).compactMap { before, body in
      func value(_ key: String) -> Substring? {
        body.firstRange(of: key + ":").map { body[$0.upperBound...].drop { $0 == " " } }
      }
      guard let name = before.split(whereSeparator: \.isNewline).last?.prefix(while: { $0 != ":" }),
        let rows = value("rows").flatMap({ Int($0.prefix { $0.isNumber }) }),
        let columns = value("cols").flatMap({ Int($0.prefix { $0.isNumber }) }),
        (16...65_536).contains(rows), (16...65_536).contains(columns), let type = value("dt"),
        let data = value("data")
      else { return nil }
      let kind = type.prefix { !$0.isNewline }.filter { !"\"' ".contains($0) }
      return (
        name.trimmingPrefix { $0.isWhitespace }.description, RasterSize(width: columns, height: rows), kind,
        data.prefix { $0 != "]" }
      )
    }
  }
}
