import FathomTables
import Foundation
import FathomStorage
import FathomTestSupport

/// A run folder written by hand: `run.json` of the committed example, and tables of one's own.
struct HandMadeRun {
  let folder: TemporaryFolder

  static let demo = PackageFiles.root.appendingPathComponent("Reports/kept/demo")

  /// Two scenes of one frame each, two methods; one of them solved one frame only.
  static let tables = [
    "frames.csv": """
    scene,frame,method,space,status,reason,pairs,inliers,scale,shift,rank,condition,spread,abs_rel,mae_m_measured
    a,0,lidar-bilinear,,ok,,,,,,,,,0.0100,0.03
    a,0,ols@depth,depth,ok,"odd, but true",100,90,1.5,-0.25,2,3.5,0.1,0.02,0.060000000000000005
    b,0,lidar-bilinear,,ok,,,,,,,,,0.011,0.031
    b,0,ols@depth,depth,too_few_pairs,3 of 20,3,,,,,,,,
    """,
    "cumulative.csv": """
    method,error_m,share,low,high,scenes,frames
    lidar-bilinear,0.001,0.1,,,2,2
    lidar-bilinear,1.0,1.0,,,2,2
    """,
    "summary.csv": """
    method,statistic,reference,form,metric,support,value,low,high,bca_low,bca_high,p,p_adjusted,unit,direction
    lidar-bilinear,mean,,,mae_m,measured,0.0305,0.03,0.031,,,,,m,lower
    """,
    "confidence.csv": "method,space,confidence,scenes,frames,pixels,metric,value,low,high",
    "ranges.csv": """
    method,space,from_m,to_m,scenes,frames,pixels,metric,value,low,high
    lidar-bilinear,,0.5,1.0,2,2,1000,abs_rel,0.0105,0.009,0.012
    """,
    "tables.json": """
    {"version": 1, "metrics": [{"id": "abs_rel", "title": "AbsRel", "unit": "", "direction": "lower", "definition": "mean |d−g|/g"}],
     "tables": [
      {"file": "cumulative.csv", "row": "method × error", "rows": 2, "metrics": [], "columns": []},
      {"file": "summary.csv", "row": "method × metric", "rows": 1, "metrics": ["mae_m_measured"], "columns": []},
      {"file": "confidence.csv", "row": "method × bin", "rows": 0, "metrics": [], "columns": []},
      {"file": "ranges.csv", "row": "method × bin | metric", "rows": 1, "metrics": ["abs_rel"], "columns": [
       {"id": "from_m", "type": "number", "unit": "m", "meaning": "where a bin begins", "missing": ""}]},
      {"file": "objects.csv", "row": "object", "rows": 3, "metrics": [], "columns": []}]}
    """,
  ]

  init(_ changes: [String: String?] = [:]) throws {
    folder = try TemporaryFolder()
    let example = try Data(contentsOf: Self.demo.appendingPathComponent("run.json"))
    var manifest = try JSONDecoder().decode(JSONValue.self, from: example)
    // Its record is of the example's files.
    manifest["digests"] = nil
    manifest["counts"] = .keyed(["scenes": .integer(2), "frames": .integer(2), "rows": .integer(4)])
    try Data(try CanonicalJSON.text(manifest).utf8).write(to: URL(fileURLWithPath: folder.path("run.json")))
    for (name, text) in Self.tables.merging(changes.compactMapValues { $0 }, uniquingKeysWith: { $1 })
    where !changes.contains(where: { $0.key == name && $0.value == nil }) {
      try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }
  }
}
