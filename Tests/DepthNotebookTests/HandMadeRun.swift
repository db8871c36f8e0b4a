import Foundation
import Storage
import TestSupport

/// A run folder written by hand: `run.json` of the committed example, and tables of one's own.
struct HandMadeRun {
  let folder: TemporaryFolder

  static let demo = PackageFiles.root.appendingPathComponent("Reports/demo")

  /// Two scenes of one frame each, two methods, of which one solved one frame.
  static let tables = [
    "frames.csv": """
    scene,frame,method,space,status,reason,pairs,inliers,scale,shift,rank,condition,spread,abs_rel,mae_m_measured
    a,0,lidar-bilinear,,ok,,,,,,,,,0.0100,0.03
    a,0,ols@depth,depth,ok,"odd, but true",100,90,1.5,-0.25,2,3.5,0.1,0.02,0.060000000000000005
    b,0,lidar-bilinear,,ok,,,,,,,,,0.011,0.031
    b,0,ols@depth,depth,too_few_pairs,3 of 20,3,,,,,,,,
    """,
    "scenes.csv": """
    scene,method,space,frames,frames_solved,abs_rel,mae_m_measured
    a,lidar-bilinear,,1,1,0.0100,0.03
    a,ols@depth,depth,1,1,0.02,0.060000000000000005
    b,lidar-bilinear,,1,1,0.011,0.031
    b,ols@depth,depth,1,0,,
    """,
    "summary.csv": """
    method,space,scenes,frames,frames_solved,abs_rel,abs_rel_low,abs_rel_high,mae_m_measured,mae_m_measured_low,\
    mae_m_measured_high,mae_m_measured_difference,mae_m_measured_difference_low,mae_m_measured_p,mae_m_measured_p_adjusted
    lidar-bilinear,,2,2,2,0.0105,0.01,0.011,0.0305,0.03,0.031,,,,
    ols@depth,depth,1,2,1,0.02,,,0.060000000000000005,,,0.030000000000000006,,,
    """,
    "cumulative.csv": """
    method,error_m,share,low,high,scenes,frames
    lidar-bilinear,0.001,0.1,,,2,2
    lidar-bilinear,1.0,1.0,,,2,2
    """,
    "diagnosis.csv": """
    scene,test,declared,supported,verdict,margin,confidence,summary,fix
    a,relative-orientation,upright,upright,confirmed,12.5,1.0,"rows, as declared",
    """,
    "confidence.csv": "method,space,confidence,scenes,frames,pixels,abs_rel",
    "ranges.csv": """
    method,space,from_m,to_m,scenes,frames,pixels,abs_rel,median_rel,abs_rel_low,abs_rel_high
    lidar-bilinear,,0.5,1.0,2,2,1000,0.0105,0.01,0.009,0.012
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
