import DepthImport

/// Which scenes of two runs are the same: those of files with equal bytes.
struct SceneMatch {
  let sameScenes: [String: String]  // Candidate's scene → reference's.
  let contradictions: [String]  // Scenes that both runs call the same and whose data differ, or may.
  let files: String  // The files of both runs in words.

  init(_ reference: StoredRun, _ candidate: StoredRun) {
    let digests = (Self.digests(reference), Self.digests(candidate))
    // A run of 0.1 does not say which file a scene lies in. Where all files are the same, names tell.
    let sameFiles = digests.0 == digests.1
    let keys = (Self.keys(reference, digests.0, sameFiles), Self.keys(candidate, digests.1, sameFiles))
    var references: [Key: String] = [:]
    for (scene, key) in keys.0 { references[key] = scene }
    var same: [String: String] = [:]
    for (scene, key) in keys.1 { same[scene] = references[key] }
    let taken = Set(same.values)
    let theirs = Set(candidate.manifest.scenes.map(\.name))
    contradictions = reference.manifest.scenes.map(\.name).filter {
      theirs.contains($0) && same[$0] == nil && !taken.contains($0)
    }
    sameScenes = same
    files = "\(Self.files(reference)) against \(Self.files(candidate))"
  }

  private struct Key: Hashable {
    let data: String, scene: String
    let occurrence: Int  // A file may be given twice.
  }

  private static func digests(_ run: StoredRun) -> [String] {
    run.manifest.inputs.filter { $0.unreadable == nil }.map(\.sha256).sorted()
  }

  /// Of a run of maps what its networks are compared with: the truth's files and masks; nil of a run of data sets.
  private static func truth(_ run: StoredRun) -> String? {
    guard let maps = run.manifest.maps, let input = run.manifest.inputs.first else { return nil }
    let others = Set(maps.predictions.compactMap(\.name) + ["images"])
    // A list names the networks' files, too.
    return
      ((maps.list == nil ? [input.sha256] : [])
      + (input.external ?? []).filter { !others.contains($0.file.prefix { $0 != "/" }.description) }.map(
        \.sha256)).joined(separator: " ")
  }

  private static func keys(_ run: StoredRun, _ digests: [String], _ sameFiles: Bool) -> [String: Key] {
    var seen: [Key: Int] = [:]
    let truth = truth(run)
    var keys: [String: Key] = [:]
    for scene in run.manifest.scenes {
      let first: Key
      if let data = truth ?? scene.data ?? (Set(digests).count == 1 ? digests.first : nil) {
        // Names that several files share carry the file's name; groups of HDF5 have no slash.
        let name = scene.name.split(separator: "/").last.map(String.init) ?? scene.name
        first = Key(data: data, scene: name, occurrence: 0)
      } else if sameFiles {
        first = Key(data: "", scene: scene.name, occurrence: 0)
      } else {
        continue
      }
      keys[scene.name] = Key(data: first.data, scene: first.scene, occurrence: seen[first, default: 0])
      seen[first, default: 0] += 1
    }
    return keys
  }

  private static func files(_ run: StoredRun) -> String {
    run.manifest.inputs.map { "\($0.file) \($0.sha256.prefix(8))" }.joined(separator: ", ")
  }
}
