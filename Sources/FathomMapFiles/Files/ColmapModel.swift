internal import DepthCore
package import FathomPictureFiles
package import FathomStorage

/// Cameras and images of a COLMAP model, text or binary, as if they stood in one JSON file: `images`, a list in the order of their names.
///
/// Layout: colmap/colmap, `scripts/python/read_write_model.py`.
package struct ColmapModel {
  /// "images": objects with `name`, `camera_model`, `w`, `h`, `fl_x` … `cy`, the coefficients of the lens, and `pose`, 3×4, world to camera.
  package let json: JSONValue

  /// Whether a file is that of the images of a model.
  package static func isOne(_ name: String) -> Bool {
    ["images.bin", "images.txt"].contains(name.split(separator: "/").last.map(String.init) ?? "")
  }

  /// - Parameter path: File of the images; that of the cameras lies beside it.
  /// - Throws: `PictureFault` where one of them cannot be read.
  package init(at path: String) throws(PictureFault) {
    let isBinary = path.hasSuffix(".bin")
    let beside = path.dropLast("images.bin".count) + (isBinary ? "cameras.bin" : "cameras.txt")
    let cameras: [Int: [String: JSONValue]]
    do throws(PictureFault) {
      let file = try FileBytes.read(String(beside))
      cameras = try isBinary ? Self.binaryCameras(file) : Self.textCameras(file)
    } catch { throw PictureFault("cameras.\(isBinary ? "bin" : "txt") beside it: \(error.reason)") }
    let images = try isBinary ? Self.binaryImages(path) : Self.textImages(try FileBytes.read(path))
    let sorted = images.sorted { a, b in
      let (x, y) = (FrameKey.number(a.name) ?? .max, FrameKey.number(b.name) ?? .max)
      return x == y ? a.name.utf8.lexicographicallyPrecedes(b.name.utf8) : x < y
    }
    var entries: [JSONValue] = []
    for image in sorted {
      guard var entry = cameras[image.camera] else {
        throw PictureFault(
          "its image \(image.name) has the camera \(image.camera), which the file of cameras does not list")
      }
      entry["name"] = .text(image.name)
      let (q, t) = (image.quaternion, image.translation)
      if q.count == 4, t.count == 3,
        let pose = try? RigidTransform.recorded(
          quaternion: [q[1], q[2], q[3], q[0]], translation: [t[0], t[1], t[2]])
      {
        entry["pose"] = .list(pose.rowMajor.prefix(12).map { .number($0) })
      }
      entries.append(.keyed(entry))
    }
    json = .keyed(["images": .list(entries)])
  }

  private struct Image {
    var name: String, camera: Int
    /// w, x, y, z
    var quaternion: [Double]
    var translation: [Double]
  }

  private static let radial = ["fl_x", "cx", "cy", "k1", "k2"]
  private static let openCV = ["fl_x", "fl_y", "cx", "cy", "k1", "k2", "p1", "p2"]
  /// Models in the order of their numbers, and what their parameters are; nil for those whose names alone are of use.
  private static let models: [(name: String, count: Int, parameters: [String]?)] = [
    ("SIMPLE_PINHOLE", 3, radial), ("PINHOLE", 4, openCV), ("SIMPLE_RADIAL", 4, radial),
    ("RADIAL", 5, radial),
    ("OPENCV", 8, openCV), ("OPENCV_FISHEYE", 8, nil), ("FULL_OPENCV", 12, nil), ("FOV", 5, nil),
    ("SIMPLE_RADIAL_FISHEYE", 4, nil), ("RADIAL_FISHEYE", 5, nil), ("THIN_PRISM_FISHEYE", 12, nil),
  ]

  private static func camera(
    _ model: (name: String, count: Int, parameters: [String]?), _ width: Int, _ height: Int,
    _ numbers: [Double]
  ) -> [String: JSONValue] {
    var camera: [String: JSONValue] = [
      "camera_model": .text(model.name), "w": .integer(width), "h": .integer(height),
    ]
    for (name, number) in zip(model.parameters ?? [], numbers) { camera[name] = .number(number) }
    if model.parameters?.contains("fl_y") == false { camera["fl_y"] = camera["fl_x"] }
    return camera
  }

  private static func textCameras(_ file: [UInt8]) throws(PictureFault) -> [Int: [String: JSONValue]] {
    var cameras: [Int: [String: JSONValue]] = [:]
    for line in lines(file) where line.first.map({ !$0.hasPrefix("#") }) ?? false {
      let numbers = line.dropFirst(4).compactMap(Double.init)
      guard line.count > 4, let number = Int(line[0]), let width = Int(line[2]), let height = Int(line[3]),
        let model = models.first(where: { $0.name == line[1] }), numbers.count == model.count
      else {
        throw PictureFault("'\(line.prefix(4).joined(separator: " "))' is not a camera of a known model")
      }
      cameras[number] = camera(model, width, height, numbers)
    }
    return cameras
  }

  private static func binaryCameras(_ file: [UInt8]) throws(PictureFault) -> [Int: [String: JSONValue]] {
    var bytes = LittleEndianBytes(file), cameras: [Int: [String: JSONValue]] = [:]
    for _ in 0..<(try bytes.count()) {
      let (number, model) = (try bytes.int32(), try bytes.int32())
      let (width, height) = (try bytes.count(), try bytes.count())
      guard models.indices.contains(model)
      else { throw PictureFault("it has a camera of the unknown model \(model)") }
      var numbers: [Double] = []
      for _ in 0..<models[model].count { numbers.append(try bytes.double()) }
      cameras[number] = camera(models[model], width, height, numbers)
    }
    return cameras
  }

  /// Every other line lists points, which may be none.
  private static func textImages(_ file: [UInt8]) throws(PictureFault) -> [Image] {
    var (images, isOfPoints): ([Image], Bool) = ([], false)
    for line in file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if isOfPoints {
        isOfPoints = false
        continue
      }
      let words = words(line, most: 9)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      let numbers = words.prefix(8).compactMap(Double.init)
      guard words.count == 10, numbers.count == 8, let camera = Int(words[8])
      else { throw PictureFault("'\(words.prefix(3).joined(separator: " ")) …' is not an image of COLMAP") }
      images.append(
        Image(
          name: words[9], camera: camera, quaternion: Array(numbers[1...4]),
          translation: Array(numbers[5...7])))
      isOfPoints = true
    }
    return images
  }

  /// Points are passed over: there are thousands for each image.
  private static func binaryImages(_ path: String) throws(PictureFault) -> [Image] {
    let size = try FileBytes.Ends(path).fileSize
    var (images, place): ([Image], Int) = ([], 8)
    var header = LittleEndianBytes(try FileBytes.read(path, 0..<8))
    for _ in 0..<(try header.count()) {
      guard place < size else { throw PictureFault("it is cut short") }
      var bytes = LittleEndianBytes(try FileBytes.read(path, place..<min(size, place + 64 + mostName)))
      _ = try bytes.int32()
      var numbers: [Double] = []
      for _ in 0..<7 { numbers.append(try bytes.double()) }
      let camera = try bytes.int32(), name = try bytes.text(), points = try bytes.count()
      guard points <= size / 24 else { throw PictureFault("it is cut short") }
      place += bytes.place + 24 * points
      images.append(
        Image(name: name, camera: camera, quaternion: Array(numbers[..<4]), translation: Array(numbers[4...]))
      )
    }
    guard place <= size else { throw PictureFault("it is cut short") }
    return images
  }

  private static let mostName = 4096

  private static func lines(_ file: [UInt8]) -> [[String]] {
    file.split(separator: UInt8(ascii: "\n")).map { words($0, most: .max) }
  }

  /// - Parameter most: After so many words the rest is one.
  private static func words(_ line: ArraySlice<UInt8>, most: Int) -> [String] {
    line.split(maxSplits: most, whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D })
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Numbers of a file one after the other, lowest byte first.
struct LittleEndianBytes {
  private let bytes: [UInt8]
  private(set) var place = 0
  init(_ bytes: [UInt8]) { self.bytes = bytes }
  /// - Throws: `PictureFault` where the file ends before.
  mutating func int32() throws(PictureFault) -> Int { Int(Int32(truncatingIfNeeded: try bits(4))) }
  mutating func double() throws(PictureFault) -> Double { Double(bitPattern: try bits(8)) }

  /// A number of 64 bits that counts.
  mutating func count() throws(PictureFault) -> Int {
    let bits = try bits(8)
    guard bits <= 1 << 40 else { throw PictureFault("it counts \(bits), so it is damaged") }
    return Int(bits)
  }

  /// A text that ends with 0.
  mutating func text() throws(PictureFault) -> String {
    guard let end = bytes[place...].firstIndex(of: 0) else { throw PictureFault("a name in it does not end") }
    defer { place = end + 1 }
    return String(decoding: bytes[place..<end], as: UTF8.self)
  }

  private mutating func bits(_ width: Int) throws(PictureFault) -> UInt64 {
    guard bytes.count - place >= width else { throw PictureFault("it is cut short") }
    defer { place += width }
    return bytes[place..<place + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
