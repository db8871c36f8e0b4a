import DepthImport
import Foundation
public import FathomStorage

/// The data sets that somebody names: as files, folders of data sets, recordings, patterns, and lists in files.
public enum InputList {
  /// Paths in the order in which they were named; a folder's and a pattern's by name.
  /// - Parameters:
  ///   - words: A file or recording, a folder with `.h5` files in it, which stands for these and for the recordings beside them, or a
  ///     pattern (*, ?, [a-z]).
  ///   - excluded: The same, for what is excluded again.
  ///   - mapping: File of the mapping that says what a recording is; nil for every format that is known.
  /// - Throws: `FathomError` `.noInput` where a pattern fits nothing.
  public static func paths(_ words: [String], leavingOut excluded: [String] = [], mapping: String? = nil)
    throws(FathomError) -> [String]
  {
    var paths: [String] = []
    for word in words { paths += try expanded(word, mapping) }
    guard !excluded.isEmpty else { return paths }
    var left: Set<String> = []
    for word in excluded { left.formUnion((try? expanded(word, mapping)) ?? [word]) }
    let resolved = Set(left.map(standard))
    // A bare name leaves out the data set of this name, wherever it is.
    let names = Set(excluded.filter { !$0.contains("/") })
    return paths.filter { path in
      !resolved.contains(standard(path))
        && !names.contains(path.split(separator: "/").last.map(String.init) ?? path)
    }
  }

  /// The words of a list: one a line, without blanks around it; empty lines and those after a # are none.
  /// - Parameter path: A file; "-" for standard input.
  /// - Throws: `FathomError` where it cannot be read.
  public static func words(in path: String) throws(FathomError) -> [String] {
    let text =
      path == "-"
      ? String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
      : try SettingsFile(kind: "list of inputs", path: path).text
    return text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  private static func standard(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  private static func expanded(_ word: String, _ mapping: String?) throws(FathomError) -> [String] {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: word, isDirectory: &isFolder) {
      guard isFolder.boolValue else { return [word] }
      let names = ((try? FileManager.default.contentsOfDirectory(atPath: word)) ?? []).sorted()
      let sets = names.filter { $0.hasSuffix(".h5") }
      // Any other folder is a recording.
      guard !sets.isEmpty else { return [word] }
      let folder = word.hasSuffix("/") ? word : word + "/"
      return sets.map { folder + $0 } + (FolderOfRecordings(word, mapping: mapping)?.recordings ?? [])
    }
    // A file that is not there is named when it is opened.
    guard word.contains(where: { "*?[".contains($0) }) else { return [word] }
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(word, GLOB_ERR, nil, &found) == 0 else {
      throw FathomError(
        .noInput, attempted: "find", place: word, reason: "no file fits the pattern",
        advice: "check the pattern")
    }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }
}
