import DepthReport
import Foundation
import Storage
import TestSupport
import Testing

@testable import DepthNotebook

@Suite("Tidy tables of a run")
struct TidyTablesTests {
  private func tables(_ changes: [String: String?] = [:]) throws -> TidyTables {
    let run = try HandMadeRun(changes)
    return try TidyTables(StoredRun(readingFrom: run.folder.url.path))
  }

  @Test("a value is a row, with its digits; a value that does not exist is none")
  func frameMetrics() throws {
    let table = try #require(try tables()["frame_metrics"])
    #expect(
      table.content.csv == """
        scene,frame,method,metric,value
        a,0,lidar-bilinear,abs_rel,0.0100
        a,0,lidar-bilinear,mae_m_measured,0.03
        a,0,ols@depth,abs_rel,0.02
        a,0,ols@depth,mae_m_measured,0.060000000000000005
        b,0,lidar-bilinear,abs_rel,0.011
        b,0,lidar-bilinear,mae_m_measured,0.031

        """)
    #expect(table.metrics == ["abs_rel", "mae_m_measured"])
  }

  @Test("fits stay beside their status, refused ones, too")
  func frames() throws {
    let lines = try #require(try tables()["frames"]).content.csv.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[2] == "a,0,ols@depth,depth,ok,\"odd, but true\",100,90,1.5,-0.25,2,3.5,0.1")
    #expect(lines[4] == "b,0,ols@depth,depth,too_few_pairs,3 of 20,3,,,,,,")
  }

  @Test("the summary has intervals where there are any, and unit and direction of the metric")
  func summary() throws {
    let lines = try #require(try tables()["summary"]).content.csv.split(separator: "\n")
    #expect(lines[0] == "method,metric,value,low,high,percentile_low,percentile_high,unit,direction")
    #expect(lines[1] == "lidar-bilinear,abs_rel,0.0105,0.01,0.011,,,,lower")
    #expect(lines[4] == "ols@depth,mae_m_measured,0.060000000000000005,,,,,m,lower")
    #expect(lines.count == 5)
  }

  @Test("coverage that counts refused frames is a metric of the summary, where the run has it")
  func wholeCoverage() throws {
    let changed = """
      method,space,scenes,frames,frames_solved,coverage_all_frames,abs_rel
      ols@depth,depth,1,2,1,0.4960,0.02
      """
    let table = try #require(try tables(["summary.csv": changed])["summary"])
    #expect(table.content.csv.contains("ols@depth,coverage_all_frames,0.4960,,,,,share,higher\n"))
    #expect(try tables()["summary"]?.holds("coverage_all_frames") == false)
  }

  @Test("comparisons name what they are held against; there is one row here")
  func comparisons() throws {
    let lines = try #require(try tables()["comparisons"]).content.csv.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[1] == "ols@depth,mae_m_measured,lidar-bilinear,solved,0.030000000000000006,,,,,,")
  }

  @Test("ends of intervals are no metrics of their own; names of methods come with their role")
  func breakdowns() throws {
    let tables = try tables()
    #expect(
      try #require(tables["ranges"]).content.csv == """
        method,space,from_m,to_m,scenes,frames,pixels,metric,value,low,high
        lidar-bilinear,,0.5,1.0,2,2,1000,abs_rel,0.0105,0.009,0.012
        lidar-bilinear,,0.5,1.0,2,2,1000,median_rel,0.01,,

        """)
    let methods = try #require(tables["methods"]).content.csv
    #expect(methods.contains("lidar-bilinear,,2,2,2,baseline,,\"LiDAR, bilinear\"\n"))
  }

  @Test("a table without rows, or that the run does not have, is none")
  func absentTables() throws {
    let tables = try tables()
    #expect(tables["confidence"] == nil && tables["ranks"] == nil && tables["objects"] == nil)
    #expect(tables["cumulative"] != nil)
    #expect(try self.tables(["cumulative.csv": nil])["cumulative"] == nil)
  }

  @Test("a metric of another version is exported, and its entry says that it is not known here")
  func unknownMetric() throws {
    let ranges = """
      method,space,from_m,to_m,scenes,frames,pixels,sharpness
      lidar-bilinear,,0.5,1.0,2,2,1000,0.5
      """
    let run = try HandMadeRun(["ranges.csv": ranges])
    let folder = try StoredRun(readingFrom: run.folder.url.path)
    let tables = try TidyTables(folder)
    #expect(tables["ranges"]?.metrics == ["sharpness"])
    let dictionary = DataDictionary(tables, of: folder)
    #expect(dictionary.table.csv.contains("ranges,metric,sharpness,sharpness,number,,,not known"))
  }

  @Test("a damaged run is refused with file and reason; what is not a run is missing")
  func faults() throws {
    func error(_ changes: [String: String?]) throws -> FathomError? {
      let run = try HandMadeRun(changes)
      do throws(FathomError) {
        _ = try TidyTables(StoredRun(readingFrom: run.folder.url.path))
        return nil
      } catch { return error }
    }
    let missing = try #require(try error(["scenes.csv": nil]))
    #expect(missing.kind == .badData && missing.place.hasSuffix("scenes.csv"))
    let ragged = try #require(try error(["summary.csv": "method,space\nols"]))
    #expect(ragged.kind == .badData && ragged.description.contains("summary.csv"))
    let strange = try #require(try error(["ranges.csv": "city,people\nUlm,126000"]))
    #expect(strange.description.contains("no column 'method'"))
    let manifest = try #require(try error(["run.json": "{\"tool\": \"fathom\"}"]))
    #expect(manifest.kind == .badData && manifest.description.contains("which version"))
    #expect(try #require(try error(["run.json": "no"])).description.contains("it is not JSON"))
    #expect(throws: FathomError.self) { try StoredRun(readingFrom: "/nowhere") }
  }
}
