import FathomPlainText
internal import DepthCore
internal import FathomHDF5

extension SceneValidator {
  /// `detector/…`: usable where both arrays are there, agree, and say how large the network's input is.
  mutating func readDetector(_ file: borrowing HDF5File) {
    let (path, prototypePath) = (group + "/detector/predictions", group + "/detector/prototypes")
    let before = issues.count, predictions = shape(of: path, rank: 3, "[N,4+C+K,A]", file)
    let prototypes = shape(of: prototypePath, rank: 4, "[N,K,mh,mw]", file)
    guard let shape = predictions, let prototypeShape = prototypes else {
      if (predictions == nil) != (prototypes == nil), !hasErrors(since: before) {
        note(
          group + "/detector", "it holds only one of predictions and prototypes, so masks cannot be decoded",
          "store both")
      }
      return
    }
    let (rows, anchors, coefficients) = (shape[1], shape[2], prototypeShape[1])
    let limit = SchemaLimits.detectorNumbers
    guard hasPixels(path, rows: rows, columns: anchors, limit: limit),
      hasPixels(
        prototypePath, rows: prototypeShape[2], columns: prototypeShape[3], limit: SchemaLimits.maskPixels),
      hasPixels(
        prototypePath, rows: coefficients, columns: prototypeShape[2] * prototypeShape[3], limit: limit)
    else { return }
    guard rows > 4 + coefficients else {
      return error(
        path, "its \(rows) rows leave no class score beside 4 box numbers and \(coefficients) coefficients",
        "store 4+C+K rows for \(coefficients) prototypes")
    }
    let classCount = rows - 4 - coefficients
    guard let inputSize = inputSize(of: path, file), let names = classNames(of: path, classCount, file)
    else { return }
    var head = DetectorHead(
      classCount: classCount, coefficientCount: coefficients, anchorCount: anchors,
      prototypeSize: RasterSize(width: prototypeShape[3], height: prototypeShape[2]), inputSize: inputSize)
    head.classNames = names
    header.detector = head
  }

  /// Attribute `class_names`: one per class; empty where it is absent, nil where it is wrong.
  private mutating func classNames(of path: String, _ count: Int, _ file: borrowing HDF5File) -> [String]? {
    guard let attribute = attribute("class_names", of: path, file) else { return [] }
    guard case .strings(let names) = attribute.elements, names.count == count else {
      return refused(
        path, "its attribute class_names is \(attribute.summary)", "write \(count) texts, one per class")
    }
    return names
  }

  private mutating func shape(
    of object: String, rank: Int, _ axes: String, _ file: borrowing HDF5File
  ) -> [Int]? {
    guard let dataset = openStack(object, rank: rank, axes, of: .any, file) else { return nil }
    return dataset.shape
  }

  private func hasErrors(since count: Int) -> Bool {
    issues.dropFirst(count).contains { $0.severity == .error }
  }

  /// Attribute `input_size`; one number is a square.
  private mutating func inputSize(of path: String, _ file: borrowing HDF5File) -> RasterSize? {
    let advice: Wording = "set the attribute input_size = [width, height]"
    guard let attribute = attribute("input_size", of: path, file) else {
      note(path, "its input_size is not declared, so its boxes have no place in the image", advice)
      return nil
    }
    let numbers = attribute.reals ?? []
    guard (1...2).contains(numbers.count),
      numbers.allSatisfy({ $0 >= 1 && $0 <= SchemaLimits.imageSide && $0 == $0.rounded() })
    else { return refused(path, "its attribute input_size is \(attribute.summary)", advice) }
    return RasterSize(width: Int(numbers[0]), height: Int(numbers[numbers.count - 1]))
  }
}
