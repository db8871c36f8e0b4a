internal import FathomHDF5
internal import FathomPlainText
public import FathomStorage

/// What an HDF5 failure means to a user: HDF5's stack holds the clock and file descriptors, these texts do not.
struct HDF5Failure {
  let kind: FathomError.Kind, reason: String, advice: Wording

  /// - Parameter isWriting: Whether an unexplained failure is the output's fault rather than the content's.
  init(_ error: HDF5Error, isWriting: Bool = false) {
    switch error.cause {
    case .noSuchFile:
      self.init(isWriting ? .cannotCreate : .noInput, "there is no such file or folder", "check the path")
    case .notRegular(let kind):
      self.init(
        isWriting ? .cannotCreate : .noInput, "it is a \(kind)",
        kind == "folder" ? "name a file in it" : "give a file; copy into one what comes from elsewhere")
    case .replaced:
      self.init(.badData, "it was replaced while it was opened", "try again when nothing writes it")
    case .brokenLink(let target):
      self.init(
        .badData, "it is a link to \(target)", "fix or remove the link; an absent array needs no link")
    case .external(let what):
      self.init(
        .badData, "it is \(what), and what lies outside the file is not read",
        "give \(option: "allow-external") if you trust the file, or copy everything into one file")
    case .outside(let name, let folder):
      self.init(
        .badData, "it leads to '\(name)', which lies outside of the folders that may be read",
        "add \(option: "external-folder") \(folder) if you trust the file, or move the other file beside it")
    case .selfReference:
      self.init(.badData, "it is a virtual dataset that refers to itself", "store its numbers")
    case .noPermission:
      self.init(isWriting ? .cannotCreate : .noInput, "permission denied", "check who may access it")
    case .locked:
      self.init(
        isWriting ? .cannotCreate : .noInput, "another program holds it open for writing",
        "close it there first")
    case .notHDF5:
      self.init(.badData, "it is not an HDF5 file", "give an HDF5 file as Datasets/SCHEMA.md describes it")
    case .truncated:
      self.init(
        .badData, "it is truncated: shorter than its own header says", "copy it again, or write it again")
    case .newerFormat:
      self.init(
        .badData, "it was written in a newer HDF5 format than HDF5 \(HDF5Version.linked) reads",
        "rewrite it with `h5repack --high=2 IN OUT` of the newer HDF5, or in h5py with h5py.File(…, libver=(\"earliest\", \"v110\"))"
      )
    case .missingFilter(let name):
      self.init(
        .badData,
        "it is compressed with the filter '\(name)', which HDF5 \(HDF5Version.linked) does not have here",
        "rewrite the file with `h5repack -f GZIP=4 IN OUT` where that filter is installed")
    case .damagedData:
      self.init(.badData, "its compressed data is damaged", "copy the file again, or write it again")
    case .noSpace: self.init(.noRoom, "the disk is full", "free some space, or write to another disk")
    case .tooLarge:
      self.init(
        .badData, error.limit ?? "it declares more data than memory should be asked for",
        "check what it was given")
    case .other:
      if let words = Self.systemWords(error) {
        self.init(isWriting ? .cannotCreate : .noInput, words, "check the path")
        return
      }
      self.init(
        isWriting ? .inputOutput : .badData, Self.innermost(error),
        isWriting ? "check the disk" : "check the file with h5dump, or write it again")
    }
  }

  private init(_ kind: FathomError.Kind, _ reason: String, _ advice: Wording) {
    (self.kind, self.reason, self.advice) = (kind, reason, advice)
  }

  /// What the system said where a file could not be opened at all: "File name too long".
  private static func systemWords(_ error: HDF5Error) -> String? {
    guard ["H5Fopen", "H5Fcreate"].contains(error.operation), let entry = error.stack.last,
      let start = entry.firstRange(of: "error message = '")
    else { return nil }
    return String(entry[start.upperBound...].prefix { $0 != "'" })
  }

  /// HDF5's innermost explanation up to where clock and descriptors begin.
  private static func innermost(_ error: HDF5Error) -> String {
    let entry = error.stack.last ?? "no reason given"
    let text = entry.firstRange(of: ": time = ").map { entry[..<$0.lowerBound] } ?? entry[...]
    return "\(error.operation) failed (\(text))"
  }
}

extension FathomError {
  /// The user's view of an HDF5 failure.
  init(_ error: HDF5Error, attempted: String, file: String, object: String? = nil, isWriting: Bool = false) {
    let failure = HDF5Failure(error, isWriting: isWriting)
    self.init(
      failure.kind, attempted: attempted, file: file, object: object, reason: "\(failure.reason)",
      advice: failure.advice)
  }

  /// The exception that strict validation makes of an issue.
  public init(_ issue: SchemaIssue, file: String) {
    self.init(
      .badData, attempted: "read the data set", file: file, object: issue.object, reason: "\(issue.problem)",
      advice: issue.advice)
  }
}
