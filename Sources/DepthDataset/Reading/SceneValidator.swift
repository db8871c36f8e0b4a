internal import DepthCore
import FathomPlainText
internal import FathomHDF5

/// Reads everything about one scene but its frames, and collects what breaks the schema.
struct SceneValidator {
  /// "scenes/kitchen".
  let group: String
  var header: SceneHeader
  var layout = SceneLayout(), issues: [SchemaIssue] = []
  /// The array that said how many frames there are.
  var frameCountSource: String?
  let schemaVersion: Int
  /// Whether a scene may be without `lidar/depth`.
  var mayLackLidar: Bool { schemaVersion >= DatasetReader.versionWithoutLidar }
  /// Bytes that the arrays seen so far declare.
  var declaredByteCount = 0
  /// Detections of the frame that has most.
  var mostInFrame = 0

  init(scene name: String, schemaVersion: Int) {
    (self.schemaVersion, group) = (schemaVersion, "scenes/" + name)
    header = SceneHeader(name: name, frameCount: 0)
  }

  /// Looks at every array that the schema names.
  mutating func validate(_ file: borrowing HDF5File) {
    header.note = text("note", of: group, file)
    header.license = text("license", of: group, file)
    header.device = text("device", of: group, file)
    readLidar(file)
    readRelative(file)
    readTruth(file)
    readImage(file)
    readCamera(file)
    readTimesAndIDs(file)
    readPredictions(file)
    readDetector(file)
    readObjects(file)
    if schemaVersion >= 2 { readImport(file) }
    requireIntrinsicsForRayLengths()
    requireSomeDepth()
    requireOneShape()
    notePlausibilityOfIntrinsics()
  }

  /// Portrait maps beside landscape ones would be stretched over each other.
  private mutating func requireOneShape() {
    for wrong in AspectDisagreement.all(in: header) {
      error(group + "/" + wrong.object, wrong.problem, Wording(wrong.advice))
    }
  }

  private mutating func notePlausibilityOfIntrinsics() {
    guard let k = header.intrinsics, !IntrinsicsSize.isPlausible(k) else { return }
    let explanation = IntrinsicsSize.explanation(of: k, header)
    note(
      group + "/camera/intrinsics",
      "with image_size \(k.imageSize) \(IntrinsicsSize.words(k))"
        + (explanation.map { "; K is rather \($0.words)" } ?? ""),
      explanation == nil
        ? "check that image_size belongs to this matrix"
        : "set image_size to the size that K is of; `fathom diagnose \(flag: "fix")` makes a corrected copy")
  }

  mutating func error(_ object: String, _ problem: String, _ advice: Wording) {
    issues.append(SchemaIssue(severity: .error, object: object, problem: problem, advice: advice))
  }

  /// Records an error; for whoever then has nothing to return.
  mutating func refused<Value: ~Copyable>(_ object: String, _ problem: String, _ advice: Wording) -> Value? {
    error(object, problem, advice)
    return nil
  }

  /// Records an error; false.
  mutating func refused(_ object: String, _ problem: String, _ advice: Wording) -> Bool {
    error(object, problem, advice)
    return false
  }

  mutating func note(_ object: String, _ problem: String, _ advice: Wording) {
    issues.append(SchemaIssue(severity: .note, object: object, problem: problem, advice: advice))
  }

  /// The result of an HDF5 call, or nil with its failure recorded.
  mutating func attempt<Value: ~Copyable>(_ object: String, _ body: () throws(HDF5Error) -> Value) -> Value? {
    do throws(HDF5Error) { return try body() } catch {
      let failure = HDF5Failure(error)
      return self.refused(object, failure.reason, failure.advice)
    }
  }

  mutating func attribute(_ name: String, of object: String, _ file: borrowing HDF5File) -> HDF5Attribute? {
    attempt(object) { () throws(HDF5Error) in try file.attribute(name, of: object) } ?? nil
  }

  /// A text; nil where it is absent or no text.
  mutating func text(_ name: String, of object: String, _ file: borrowing HDF5File) -> String? {
    attribute(name, of: object, file)?.string
  }

  /// A word of a closed vocabulary; `absent` where there is no such attribute, nil for any other word.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String, of object: String, absent: Word, _ file: borrowing HDF5File
  ) -> Word? {
    guard let attribute = attribute(name, of: object, file) else { return absent }
    if let word = attribute.string.flatMap(Word.init(rawValue:)) { return word }
    let words = Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return refused(object, "its attribute \(name) is \(attribute.summary)", "write one of \(words)")
  }
}
