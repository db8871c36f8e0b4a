import DepthCore
import FathomPlainText
import FathomTables
import FathomStorage

/// A part of a job whose scenes are done, as it lies in its folder.
struct Shard<Task: JobTask>: Sendable {
  let folder: StoredFolder, manifest: ShardManifest<Task>

  /// - Throws: `FathomError` where the folder is damaged, of something else, or of another version or build.
  init(_ path: String) throws(FathomError) {
    folder = try StoredFolder(path, kinds: [Task.shard], attempted: "merge")
    try folder.verify()
    // Before it is read: another version may say it otherwise.
    let maker = Version.name(folder.version, folder.manifest["build"]?.string)
    guard maker == Version.name else {
      throw FathomError(
        .badData, attempted: "merge", place: folder.path,
        reason: "it was made by \(maker), and this is \(Version.name)",
        advice: "run it again, or use the same build")
    }
    manifest = try ShardManifest(of: folder)
  }

  func refusal(_ reason: String, _ advice: Wording) -> FathomError {
    FathomError(.badData, attempted: "merge", place: folder.path, reason: "\(reason)", advice: advice)
  }

  /// - Throws: `FathomError` where the shard has another task than the same job now.
  func require(_ task: Task) throws {
    guard try manifest.task.text != task.text else { return }
    throw refusal(
      "the data or the mapping have changed since it was made", "restore them, or make the shards again")
  }

  /// - Parameter paths: At least one.
  /// - Throws: `FathomError` as ``init(_:)``.
  static func read(_ paths: [String]) throws -> [Shard] {
    guard !paths.isEmpty else { throw OptionProblem(DataSelection.option, "no shard is given") }
    return try paths.map { try Shard($0) }
  }

  /// All shards of one job, by number.
  /// - Parameter paths: Their folders, in any order.
  /// - Throws: `FathomError` where one is missing, given twice, damaged, or of something else.
  static func complete(_ paths: [String]) throws -> [Shard] {
    let given = try read(paths)
    let first = given[0]
    for shard in given.dropFirst() {
      guard let difference = try shard.manifest.task.difference(from: first.manifest.task) else { continue }
      throw shard.refusal(
        "it has another \(difference) than \(first.folder.path)", "merge the shards of one command")
    }
    return try division(given)
  }

  /// - Parameter given: Shards of one task, at least one.
  /// - Returns: The same, by number.
  /// - Throws: `FathomError` where they are not each one of it, once.
  static func division(_ given: [Shard]) throws(FathomError) -> [Shard] {
    let first = given[0]
    let expected = first.manifest.part.count
    for shard in given where shard.manifest.part.count != expected {
      throw shard.refusal(
        "it is one of \(shard.manifest.part.count) shards, and \(first.folder.path) is one of \(expected)",
        "merge the shards of one division")
    }
    let byNumber = Dictionary(grouping: given) { $0.manifest.part.number }
    for (number, same) in byNumber.sorted(by: { $0.key < $1.key }) where same.count > 1 {
      throw same[1].refusal(
        "it is shard \(number) of \(expected), and so is \(same[0].folder.path)", "give each shard once")
    }
    let missing = (1...expected).filter { byNumber[$0] == nil }.map { "\($0)/\(expected)" }
    guard missing.isEmpty else {
      throw first.refusal(
        "shard \(missing.firstNames(atMost: 12)) is missing",
        "make it with \(option: "shard") and give its folder, too")
    }
    return (1...expected).compactMap { byNumber[$0]?.first }
  }
}

// MARK: - Writing

extension JobTask {
  /// Writes the shard of a part; what an earlier call left unfinished is resumed.
  /// - Parameters:
  ///   - resume: Whether unfinished work is resumed, and a finished shard of this very task left alone.
  ///   - finish: Writes what the folder holds beside scenes.
  ///   - fill: Finds what the folder does not hold, and calls its second argument when a scene is kept; gives the digests of the data
  ///     by scene, where no scene's file holds them.
  /// - Returns: false where the shard was finished before.
  /// - Throws: `FathomError` `.cannotCreate` where the folder holds something else.
  func writeShard(
    _ part: ScenePart, of inputs: RunInputs, to path: String, resume: Bool, overwrite: Bool,
    finish: (borrowing AtomicFolder) throws -> Void = { _ in },
    fill: (WorkFolder, () throws -> Void) async throws -> [Int: String]?
  ) async throws -> Bool {
    if resume, try isFinished(part, at: path) { return false }
    var folder = try AtomicFolder.resumable(path, kind: Self.shard, resume: resume, overwrite: overwrite)
    let work = try WorkFolder(in: folder.partial, kind: Self.shard, task: "part \(part)\n" + text)
    let data = try await fill(work) { folder.keepPartial() }
    try finish(folder)
    let manifest = try CanonicalJSON.text(ShardManifest(self, part: part, of: inputs, data: data)) + "\n"
    try folder.commit(manifest: manifest, leavingOut: [work.checkpoint])
    return true
  }

  private func isFinished(_ part: ScenePart, at path: String) throws -> Bool {
    guard AtomicFolder.isFinished(path, kind: Self.shard) else { return false }
    let folder = try StoredFolder(path, kinds: [Self.shard], attempted: "go on with")
    let manifest: ShardManifest<Self>? = try? ShardManifest(of: folder)
    guard let manifest, manifest.part == part, try manifest.task.text == text else {
      throw WorkFolder.foreign(
        path, Self.shard, Version.name(folder.version, folder.manifest["build"]?.string))
    }
    try folder.verify()
    return true
  }
}
