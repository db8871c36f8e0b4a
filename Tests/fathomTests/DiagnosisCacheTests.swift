import DepthDataset
import DepthEvaluation
import Foundation
import FathomRuns
import FathomStorage
import FathomTables
import FathomTestSupport
import Testing

/// What is kept between runs changes no byte of them, and is used only for the very same data.
@Suite("cache of diagnoses")
struct DiagnosisCacheTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var kept: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path("cache"))) ?? []).sorted()
  }

  private func table(_ path: String, resumingIn run: String? = nil, seed: UInt64 = 0) async throws -> String {
    var job = EvaluateJob(DataSelection([path]))
    job.plan.objects = nil
    job.plan.seed = seed
    job.cache = DiagnosisCache(in: folder.path("cache"))
    let result = if let run { try await job.run(resumingIn: folder.path(run)) } else { try await job.run() }
    return try #require(result.diagnosis).table.csv
  }

  @Test("the second run takes it from there, and so does one that can be resumed")
  func used() async throws {
    let first = try await table(sample)
    let names = kept
    #expect(names.count == (try DatasetReader(readingFrom: sample)).scenes.count)
    #expect(try await table(sample) == first)
    // Words that no diagnosis finds show where they came from.
    for name in names {
      let path = folder.path("cache/" + name)
      let sealed = try Data(contentsOf: URL(fileURLWithPath: path))
      let text = String(decoding: try #require(SealedBytes.open(Array(sealed))), as: UTF8.self)
      let other = text.replacing(/"summary":"/, with: "\"summary\":\"KEPT: ")
      try Data(SealedBytes.seal(Array(other.utf8))).write(to: URL(fileURLWithPath: path))
    }
    let second = try await table(sample)
    #expect(second.contains("KEPT: ") && second.replacing("KEPT: ", with: "") == first)
    #expect(try await table(sample, resumingIn: "run") == second)
    #expect(kept == names)
    // A changed file is ignored.
    for name in names {
      let path = folder.path("cache/" + name)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    #expect(try await table(sample) == first)
    #expect(try await table(sample) == first)
  }

  @Test("other data, another seed and a folder that cannot be made are diagnosed")
  func notUsed() async throws {
    let first = try await table(sample)
    let count = kept.count
    _ = try await table(sample, seed: 7)
    #expect(kept.count == 2 * count)
    let path = folder.path("other.h5")
    #expect(await run("synthesize", path, "--preset", "sample", "--seed", "5", "--quiet") == nil)
    _ = try await table(path)
    #expect(kept.count == 3 * count)
    try FileManager.default.removeItem(atPath: folder.path("cache"))
    try folder.put("no folder", "cache")
    #expect(try await table(sample) == first)
  }

  @Test("more than is allowed is taken away, the longest unused first")
  func pruned() async throws {
    _ = try await table(sample)
    let cache = try #require(DiagnosisCache(in: folder.path("cache")))
    for name in kept {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: folder.path("cache/" + name))
    }
    try folder.put(String(repeating: "x", count: 1000), "cache/diagnosis-new")
    try folder.put("somebody else's", "cache/notes.txt")
    cache.prune(most: 2000)
    #expect(kept == ["diagnosis-new", "notes.txt"])
  }

  @Test("where it lies follows from the environment")
  func place() async throws {
    #expect(DiagnosisCache.ofUser(["FATHOM_CACHE": "", "HOME": "/home/a"]) == nil)
    #expect(DiagnosisCache.ofUser(["XDG_CACHE_HOME": "relative"]) == nil)
    #expect(DiagnosisCache.ofUser([:]) == nil)
    for (environment, place) in [
      (["FATHOM_CACHE": "/a/b", "HOME": "/c"], "/a/b"),
      (["XDG_CACHE_HOME": "/d", "HOME": "/c"], "/d/fathom"),
      (["XDG_CACHE_HOME": "d", "HOME": "/c"], "/c/.cache/fathom"),
    ] {
      #expect(DiagnosisCache.ofUser(environment)?.folder == place)
    }
  }
}
