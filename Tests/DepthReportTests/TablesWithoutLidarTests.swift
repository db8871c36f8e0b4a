import DepthCore
import FathomRunSamples
import DepthEvaluation
import DepthFusion
import DepthVerdicts
import FathomStorage
import FathomTables
import FathomTestSupport
import Foundation
import Testing

@testable import FathomRunFolders

@Suite("Tables of a run without a LiDAR")
struct TablesWithoutLidarTests {
  private static func run(scenes: Int = 6) throws -> EvaluationRun {
    let plan = EvaluationPlan(methods: try MethodCatalogue.parse("stored:mynet,stored:half"))
    var (contexts, records) = ([SceneContext](), [FrameRecord]())
    for scene in 0..<scenes {
      let networks = [
        MapScene.Network("mynet", factor: 1.05 + Float(scene) / 1000), MapScene.Network("half", factor: 1.02),
      ]
      let context = SceneContext(header: MapScene.header("s\(scene)", networks), name: "s\(scene)")
      contexts.append(context)
      records += plan.evaluate(MapScene.frame(networks), of: context)
    }
    return EvaluationRun(
      plan: plan, scenes: contexts, records: records, baseline: "stored:mynet",
      unreadable: [UnreadableFile(name: "broken", reason: "it is")])
  }

  private func table(_ name: String, _ tables: RunTables) throws -> DataTable {
    try #require(tables.files.first { $0.name == name }?.table)
  }

  @Test("no column divides the pixels by a LiDAR, and no table is about its confidence")
  func columns() throws {
    let tables = RunTables(try Self.run())
    let names = tables.files.map(\.name)
    #expect(names.contains("frames.csv") && names.contains("steps.csv"))
    #expect(!names.contains("confidence.csv") && !names.contains("sparsification.csv"))
    for name in ["frames.csv", "scenes.csv"] {
      let columns = try table(name, tables).columns
      #expect(columns.contains("mae_m") && columns.contains("delta_1"))
      #expect(!columns.contains { $0.hasSuffix("_measured") || $0.hasSuffix("_filled") }, "\(name)")
      #expect(!columns.contains("ause") && !columns.contains("aurg"))
    }
    let rows = try table("frames.csv", tables).rows
    let width = try table("frames.csv", tables).columns.count
    #expect(rows.allSatisfy { $0.count == width } && rows.count == 13)
  }

  @Test("differences are over all truth pixels, on the frames that both solved")
  func differences() throws {
    let tables = RunTables(try Self.run())
    let summary = try ResultTable(try table("summary.csv", tables).csv)
    let place = { (name: String) in try #require(summary.header.firstIndex(of: name)) }
    let (statistic, form, support) = (try place("statistic"), try place("form"), try place("support"))
    let rows = summary.rows.filter { $0[statistic] == "difference" }
    #expect(rows.count == 4 && rows.allSatisfy { $0[form] == "solved" && $0[support] == "all" })
    #expect(summary.rows.allSatisfy { $0[support] == "all" })
    let pairs = try ResultTable(try table("pairwise.csv", tables).csv)
    #expect(pairs.rows.count == 2)
  }

  @Test("no meaning speaks of a LiDAR or of fusion, and every column keeps its own")
  func meanings() throws {
    let tables = RunTables(try Self.run())
    for (name, table) in tables.files {
      for column in table.meanings {
        let words = "\(column.meaning) \(column.missing)"
        #expect(
          words.firstMatch(of: /lidar|\bfus|\bspec\b/.ignoresCase()) == nil, "\(name), \(column.id): \(words)"
        )
        #expect(!column.meaning.isEmpty)
      }
    }
    #expect(MeaningsWithoutLidar.ofSomeScenes(try StoredRunSample.run()).isEmpty)
  }

  @Test("a frames.csv of such a run is read back, and lacks nothing")
  func readBack() throws {
    let run = try Self.run()
    let frames = try StoredFrames(try ResultTable(try table("frames.csv", RunTables(run)).csv))
    #expect(frames.missingColumns.isEmpty && frames.unknownColumns.isEmpty)
    #expect(frames.records.map(\.values) == run.records.map(\.values))
    #expect(frames.unreadable == run.unreadable)
  }

  @Test("a status that only scenes without a LiDAR have is told where some have none")
  func someScenes() throws {
    let whole = try StoredRunSample.run()
    let maps = try Self.run(scenes: 1)
    let run = EvaluationRun(
      plan: whole.plan, scenes: whole.scenes + maps.scenes, records: Array(whole.records) + maps.records,
      baseline: "lidar-bilinear")
    let frames = try table("frames.csv", RunTables(run))
    #expect(frames.columns == NonMetricColumn.meanings(MetricColumn.standard).ids)
    let status = try #require(frames.meanings.first { $0.id == "status" })
    #expect(status.meaning.contains("no_lidar"))
  }
}
