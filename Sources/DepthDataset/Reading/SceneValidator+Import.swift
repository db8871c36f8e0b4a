import FathomPlainText
internal import DepthCore
internal import FathomHDF5

extension SceneValidator {
  /// The group `import`: format and recording, and a table of three columns.
  mutating func readImport(_ file: borrowing HDF5File) {
    let path = group + "/import"
    guard let kind = attempt(path, { () throws(HDF5Error) in try file.kind(of: path) }), kind == .group
    else { return }
    guard let format = text("format", of: path, file), let recording = text("recording", of: path, file)
    else {
      return error(path, "its attributes format and recording are not both texts", "write both, or no import")
    }
    var record = ImportRecord(format: format, recording: recording)
    let columns = ["step", "subject", "words"].map { column(path + "/" + $0, file) }
    if let steps = columns[0], let subjects = columns[1], let words = columns[2] {
      guard steps.count == subjects.count, steps.count == words.count else {
        return error(
          path, "its columns step, subject and words differ in length", "write one row for each entry")
      }
      for (index, step) in steps.enumerated() {
        guard let step = ImportRecord.Step(rawValue: step) else {
          let known = ImportRecord.Step.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
          return error(path + "/step", "it holds '\(step)'", "write one of \(known)")
        }
        record.entries.append(ImportRecord.Entry(step, subjects[index], words[index]))
      }
    }
    header.importRecord = record
  }

  private mutating func column(_ path: String, _ file: borrowing HDF5File) -> [String]? {
    guard let dataset = openTexts(path, "[K]", file) else { return nil }
    guard hasRoom(for: dataset.shape[0], "entries", path, file) else { return nil }
    return names(dataset, file)
  }
}
