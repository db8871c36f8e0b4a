import FathomHDF5

/// Everything in a file, by path: shapes, numbers, texts and attributes.
struct FileContent {
  var shapes: [String: [Int]] = [:], numbers: [String: [Double]] = [:], texts: [String: [String]] = [:]
  var types: [String: String] = [:]
  /// By "path@name".
  var attributes: [String: HDF5Attribute] = [:]

  init(_ path: String) throws {
    let file = try HDF5File(readingFrom: path)
    try add("", file)
  }

  private mutating func add(_ object: String, _ file: borrowing HDF5File) throws {
    let path = object.isEmpty ? "/" : object
    for name in try file.attributeNames(of: path) {
      attributes["\(path)@\(name)"] = try file.attribute(name, of: path)
    }
    switch object.isEmpty ? .group : try file.kind(of: path) {
    case .group:
      for name in try file.members(of: path) { try add(object.isEmpty ? name : "\(object)/\(name)", file) }
    case .dataset:
      let dataset = try file.dataset(path)
      (shapes[path], types[path]) = (dataset.shape, dataset.storedType.description)
      if dataset.storedType.isNumeric {
        numbers[path] = try dataset.read()
      } else {
        texts[path] = try dataset.readStrings()
      }
    default: break
    }
  }

  /// Paths, and "path@attribute", that differ; numbers by more than `tolerance` of the larger one's size.
  func differences(from other: FileContent, tolerance: Double = 0) -> [String] {
    func keys<Value>(_ a: [String: Value], _ b: [String: Value]) -> Set<String> { Set(a.keys).union(b.keys) }
    var found: Set<String> = []
    found.formUnion(keys(shapes, other.shapes).filter { shapes[$0] != other.shapes[$0] })
    found.formUnion(keys(types, other.types).filter { types[$0] != other.types[$0] })
    found.formUnion(keys(texts, other.texts).filter { texts[$0] != other.texts[$0] })
    found.formUnion(keys(attributes, other.attributes).filter { attributes[$0] != other.attributes[$0] })
    for path in keys(numbers, other.numbers) {
      let (a, b) = (numbers[path] ?? [], other.numbers[path] ?? [])
      let isSame =
        a.count == b.count
        && zip(a, b).allSatisfy { x, y in
          x == y || (x.isNaN && y.isNaN) || abs(x - y) <= tolerance * max(abs(x), abs(y), 1e-3)
        }
      if !isSame { found.insert(path) }
    }
    return found.sorted()
  }
}
