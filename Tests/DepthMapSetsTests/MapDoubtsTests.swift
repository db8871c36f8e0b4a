import DepthCore
import DepthDataset
import DepthImport
import DepthMapSets
import FathomPlainText
import Foundation
import FathomTestSupport
import Testing

/// A fault of maps or of their truth, and what is said of it.
struct MapFault: Sendable, CustomTestStringConvertible {
  let name: String, words: String
  /// What a network writes for a frame, and what the truth then is.
  var map: @Sendable (_ frame: Int) -> [Float] = { MapFault.network($0) }
  var truth: @Sendable (_ frame: Int) -> [Float] = { MapFault.room($0) }
  var meaning = MapMeaning.metric

  var testDescription: String { name }

  static let width = 96, height = 72, frames = 12

  /// A floor that comes nearer downwards, walls that sway, and a column that moves; other ones in another scene.
  static func room(_ frame: Int, of scene: Int = 0) -> [Float] {
    (0..<width * height).map { pixel in
      let (x, y) = (Float(pixel % width), Float(pixel / width))
      let left = Float(8 + frame * 6 + 37 * scene).truncatingRemainder(dividingBy: 80)
      if x >= left, x < left + 14, y > 20 { return 1.2 + 0.004 * y + 0.02 * Float(frame) }
      let sway = 0.5 * sin(0.06 * x + 0.8 * Float(frame) + 2 * Float(scene))
      return scene == 0 ? 4.5 - 0.035 * y + sway : 2 + 0.03 * y + 1.5 * sway
    }
  }

  /// Its error is at most 3 %, and smooth.
  static func network(_ frame: Int, of scene: Int = 0) -> [Float] {
    room(frame, of: scene).enumerated().map { pixel, depth in
      depth * (1 + 0.03 * sin(0.13 * Float(pixel % width) + 0.09 * Float(pixel / width) + Float(frame)))
    }
  }

  /// Puts a number into a rectangle that moves from frame to frame.
  static func hole(_ values: [Float], _ frame: Int, _ number: Float) -> [Float] {
    values.enumerated().map { pixel, value in
      let (x, y) = ((pixel % width + 3 * frame) % width, pixel / width)
      return (20..<60).contains(x) && (10..<35).contains(y) ? number : value
    }
  }

  /// Length of the ray through a pixel for a focal length of 80 pixels, where depth is 1.
  static func ray(_ pixel: Int) -> Float {
    let (x, y) = (Float(pixel % width) - 47.5, Float(pixel / width) - 35.5)
    return (1 + (x * x + y * y) / 6400).squareRoot()
  }

  /// The mean of each map in its holes.
  static func filled(_ values: [Float], _ frame: Int) -> [Float] {
    hole(values, frame, values.reduce(0, +) / Float(values.count))
  }

  /// The mean of five pixels of a row, where 0 counts as a depth.
  static func smoothed(_ values: [Float]) -> [Float] {
    values.indices.map { pixel in
      let row = pixel / width * width
      return (pixel - 2...pixel + 2).map { values[min(max($0, row), row + width - 1)] }.reduce(0, +) / 5
    }
  }

  /// A wall at 2 m, but for a part.
  static func wall(_ values: [Float]) -> [Float] {
    values.enumerated().map { $0 % width < 60 ? 2 : $1 + 5 }
  }

  /// The upper part of an image.
  static func sky(_ values: [Float], _ number: Float) -> [Float] {
    values.enumerated().map { $0 < 25 * width ? number : 10 * $1 }
  }

  static let all: [MapFault] = [fills, strays, truthFills, numbers, units, laws, images].flatMap { $0 }

  static let fills: [MapFault] = [9999, 10_000, 1e10, 80, 0.001].map { (number: Float) in
    MapFault(
      name: "fill \(number)", words: "hardly another number is within a quarter of that",
      map: { hole(network($0), $0, number) })
  }

  /// Numbers that stand for no depth in maps without a unit, and the largest of each map.
  static let strays: [MapFault] =
    [0, -1, 1e6].map { (number: Float) in
      MapFault(
        name: "disparity with fill \(number)",
        words: "it may stand for no depth; if so, give --prediction-invalid net=",
        map: { hole(network($0).map { 5 / $0 + 1 }, $0, number) }, meaning: .disparity)
    } + [
      MapFault(
        name: "relative depth with fill 0", words: "are exactly 0 in",
        map: { hole(network($0).map { $0 / 8 }, $0, 0) }, meaning: .depth),
      MapFault(
        name: "disparity 0 from 4 m on", words: "no other number is near it",
        map: { network($0).map { $0 > 4 ? 0 : 1 / $0 } }, meaning: .disparity),
      MapFault(
        name: "the largest of each map", words: "the largest or smallest of the map",
        map: { frame in
          let (map, largest) = (network(frame), (network(frame).max() ?? 0) + 0.01)
          return map.indices.map {
            (50..<64).contains($0 / width) && (20..<60).contains($0 % width) ? largest : map[$0]
          }
        }),
    ]

  static let truthFills: [MapFault] = [9999, 65.535, 1e-6].map { (number: Float) in
    MapFault(
      name: "truth with fill \(number)", words: "of the truth is exactly",
      truth: { hole(room($0), $0, number) })
  }

  static let numbers = [
    MapFault(
      name: "holes with a number of each map", words: "hold one number in", map: { filled(network($0), $0) }),
    MapFault(
      name: "holes of disparity with a number of each map", words: "another in each of 8 of 8 images",
      map: { filled(network($0).map { 5 / $0 }, $0) }, meaning: .disparity),
    MapFault(
      name: "holes of the truth with a number of each map", words: "the truth's maps hold one number in",
      truth: { filled(room($0), $0) }),
    MapFault(
      name: "everything far is 80", words: "are exactly 80 in",
      map: { network($0).map { $0 > 3.6 ? 80 : $0 } }),
    MapFault(name: "capped at 3", words: "are exactly 3 in", map: { network($0).map { min($0, 3) } }),
    MapFault(
      name: "truth capped at 3", words: "of the truth is exactly 3", truth: { room($0).map { min($0, 3) } }),
    MapFault(
      name: "smoothed across holes", words: "the maps of 'net' fall towards their gaps",
      map: { smoothed(hole(network($0), $0, 0)) }),
    MapFault(
      name: "truth smoothed across holes", words: "the truth's maps fall towards their gaps",
      truth: { smoothed(hole(room($0), $0, 0)) }),
    MapFault(name: "a part is negative", words: "are below 0 in", map: { hole(network($0), $0, -1) }),
    MapFault(
      name: "infinite beyond the range of 16 bits", words: "have no depth in",
      map: { network($0).map { $0 > 3.6 ? .infinity : $0 } }),
    MapFault(
      name: "pictures of 8 bits", words: "pictures of 8 bits do",
      map: { network($0).map { ($0 / 6 * 255).rounded() / 255 * 6 } }),
  ]

  static let units = [
    MapFault(
      name: "feet", words: "feet would be: multiply them by 0.3048", map: { network($0).map { $0 * 3.2808 } }),
    MapFault(
      name: "squares", words: "check what wrote them: they are not in proportion to the truth",
      map: { network($0).map { $0 * $0 } }),
    MapFault(
      name: "millimetres that are named as counts of 1/256 m",
      words: "as millimetres they would be 1 times the truth: --prediction net:millimetres=",
      map: { network($0).map { $0 * 1000 } }, meaning: .kitti),
    MapFault(
      name: "divided by the largest number", words: "end at exactly 1 in all 8 images looked at",
      map: { frame in
        let (map, most) = (network(frame), network(frame).max() ?? 1)
        return map.map { $0 / most }
      }, truth: { frame in room(frame).map { $0 * (1 + 0.03 * Float(frame)) } }),
    MapFault(
      name: "a seventh of the size of the truth", words: "check their unit and the truth's",
      map: { network($0).map { $0 * 0.0077 } }),
    MapFault(name: "centimetres", words: "centimetres would be", map: { network($0).map { $0 * 100 } }),
    MapFault(
      name: "a tenth", words: "times the truth in all 8 images looked at",
      map: { network($0).map { $0 * 0.1 } }),
    MapFault(
      name: "truth in feet", words: "if the truth is in feet, give --truth-scale 0.3048",
      truth: { room($0).map { $0 / 0.3048 } }),
    MapFault(
      name: "truth in millimetres", words: "if the truth is in millimetres, give --truth-scale 0.001",
      truth: { room($0).map { $0 * 1000 } }),
    MapFault(
      name: "millimetres in one half", words: "give one unit in all files",
      map: { frame in network(frame).map { $0 * (frame < 6 ? 1 : 1000) } }),
    MapFault(
      name: "truth in millimetres in one half", words: "the truth changes its unit",
      truth: { frame in room(frame).map { $0 * (frame < 6 ? 1 : 1000) } }),
  ]

  static let laws = [
    MapFault(
      name: "two metres too far", words: "not metres from the camera", map: { network($0).map { $0 + 2 } }),
    MapFault(
      name: "distances along the ray", words: "their distances along the ray",
      map: { network($0).enumerated().map { $1 * ray($0) } }),
    MapFault(
      name: "truth along the ray", words: "--truth-kind distance",
      truth: { room($0).enumerated().map { $1 * ray($0) } }),
    MapFault(name: "disparity", words: "they look like disparity", map: { network($0).map { 1 / $0 } }),
  ]

  static let images = [
    MapFault(
      name: "the truth in two of them", words: "have the numbers of the truth, to the last digit, in 100.0 %",
      map: { $0 == 3 || $0 == 6 ? room($0) : network($0) }),
    MapFault(
      name: "half of the truth", words: "of the pixels with truth in 8 of 8 images looked at, first 00",
      map: { zip(network($0), room($0)).enumerated().map { $0 % 2 == 0 ? $1.0 : $1.1 } }),
    MapFault(
      name: "one map for all", words: "are that of the image before in 11 of 12 images",
      map: { _ in network(3) }),
    MapFault(
      name: "every map four times",
      words: "are that of the image before in 9 of 12 images, though the truth differs: first 01;",
      map: { network($0 / 4 * 4) }),
    MapFault(
      name: "two maps in turn", words: "are the same map in 4 of 8 images", map: { network($0 % 2) }),
    MapFault(
      name: "one truth for all", words: "the truth of 8 of 8 images looked at is the same map",
      truth: { _ in room(3) }),
    MapFault(
      name: "half of another scene", words: "hardly follow the truth in",
      map: { $0 < 6 ? network($0) : network($0, of: 1) }),
    MapFault(
      name: "upside down in one half", words: "mirrored top to bottom",
      map: { frame in
        let map = network(frame)
        return frame % 2 == 0
          ? map : map.indices.map { map[(height - 1 - $0 / width) * width + $0 % width] }
      }),
    MapFault(
      name: "two truths upside down",
      words: "look mirrored top to bottom: read so, they fit the truth better in 2 of 8",
      truth: { frame in
        let map = room(frame)
        return frame != 3 && frame != 6
          ? map : map.indices.map { map[(height - 1 - $0 / width) * width + $0 % width] }
      }),
    MapFault(
      name: "one missing in the middle", words: "fit the truth one image later",
      map: { network($0 < 5 ? $0 : $0 + 1) }),
    MapFault(
      name: "noise", words: "hardly follow the truth in any of 8 images",
      map: { frame in (0..<width * height).map { 1 + Float(($0 * 7919 + frame * 104_729) % 6007) / 2000 } }),
  ]
}

@Suite struct MapDoubtsTests {
  /// What is said of a map set, with the advice.
  private func words(_ fault: MapFault) throws -> [String] {
    let made = try MadeMapSet()
    for frame in 0..<MapFault.frames {
      let name = "\(frame < 10 ? "0" : "")\(frame).npy"
      try made.folder.put(MadeMapSet.numpy(fault.truth(frame), "72, 96"), "gt/" + name)
      try made.folder.put(MadeMapSet.numpy(fault.map(frame), "72, 96"), "net/" + name)
    }
    var request = made.request(meaning: fault.meaning)
    request.scenes = .image
    return try MapSetSource(request).issues.map { $0.problem + "; " + $0.advice.onCommandLine }
  }

  @Test("faults of numbers, units, laws and images are named", arguments: MapFault.all)
  func named(_ fault: MapFault) throws {
    let words = try words(fault)
    #expect(words.contains { $0.contains(fault.words) }, "\(words)")
  }

  @Test("two units in one folder are named by what each is, and by nothing else")
  func twoUnits() throws {
    let words = try words(
      MapFault(
        name: "", words: "",
        map: { frame in MapFault.network(frame).map { frame % 2 == 0 ? $0 : 1000 * $0 } }))
    #expect(words.count == 1 && words[0].contains("times in the others"), "\(words)")
  }

  @Test("maps of one file that are that of the image before are named")
  func stack() throws {
    let made = try MadeMapSet()
    let shape = "\(MapFault.frames), 72, 96", frames = 0..<MapFault.frames
    try made.folder.put(MadeMapSet.numpy(frames.flatMap { MapFault.room($0) }, shape), "gt.npy")
    try made.folder.put(
      MadeMapSet.numpy(frames.flatMap { MapFault.network($0 == 6 ? 5 : $0) }, shape), "net.npy")
    var request = made.request(["net.npy"], truth: "gt.npy")
    request.scenes = .image
    let words = try MapSetSource(request).issues.map(\.problem)
    #expect(words.contains { $0.contains("are that of the image before in 1 of 12 images") }, "\(words)")
  }

  @Test("right maps, sparse truth, and networks with large errors are not named")
  func right() throws {
    let right: [(String, MapFault)] = [
      ("as it is", MapFault(name: "", words: "")),
      (
        "millimetres",
        MapFault(name: "", words: "", map: { MapFault.network($0).map { ($0 * 1000).rounded() / 1000 } })
      ),
      (
        "sparse truth",
        MapFault(
          name: "", words: "",
          truth: { MapFault.room($0).enumerated().map { $0 * 7919 % 11 == 0 ? $1 : 0 } })
      ),
      (
        "a truth with a sky that does not count",
        MapFault(
          name: "", words: "", map: { MapFault.sky(MapFault.network($0), 60) },
          truth: { MapFault.sky(MapFault.room($0), 1000) })
      ),
      (
        "a wall at the same distance in all images",
        MapFault(
          name: "", words: "", map: { MapFault.wall(MapFault.network($0)).map { $0 * 1.02 } },
          truth: { MapFault.wall(MapFault.room($0)) })
      ),
      (
        "truth in every fourth row",
        MapFault(
          name: "", words: "",
          truth: { MapFault.room($0).enumerated().map { $0 / MapFault.width % 4 == 0 ? $1 : 0 } })
      ),
      (
        "truth with gaps", MapFault(name: "", words: "", truth: { MapFault.hole(MapFault.room($0), $0, 0) })
      ),
      ("twice as far", MapFault(name: "", words: "", map: { MapFault.network($0).map { $0 * 2 } })),
      (
        "has an error of 25 %",
        MapFault(
          name: "", words: "",
          map: { frame in
            MapFault.room(frame).enumerated().map { pixel, depth in
              depth * (1 + 0.25 * sin(0.11 * Float(pixel % 96) + 0.2 * Float(pixel / 96) + Float(frame)))
            }
          })
      ),
      (
        "disparity",
        MapFault(name: "", words: "", map: { MapFault.network($0).map { 1 / $0 } }, meaning: .disparity)
      ),
      (
        "a camera that stands still, and a network without noise",
        MapFault(
          name: "", words: "", map: { _ in MapFault.network(3) },
          truth: { frame in
            MapFault.room(3).enumerated().map { pixel, depth in
              depth * (1 + 0.02 * sin(Float(pixel * 7919 + frame * 104_729)))
            }
          })
      ),
      (
        "disparity that ends at 0",
        MapFault(
          name: "", words: "", map: { MapFault.network($0).map { max(0, 1 / $0 - 0.25) } },
          meaning: .disparity)
      ),
      (
        "relative depth that ends at 1",
        MapFault(name: "", words: "", map: { MapFault.network($0).map { min(1, $0 / 3.5) } }, meaning: .depth)
      ),
    ]
    for (name, fault) in right { #expect(try words(fault).isEmpty, "\(name)") }
  }

  @Test("the truth decides what maps mean that nothing names, and never that they are relative depth")
  func evidence() throws {
    let kinds: [(name: String, map: @Sendable (Float) -> Float, meaning: MapMeaning?)] = [
      ("metres", { 1.1 * $0 }, .metric), ("millimetres", { 900 * $0 }, .millimetres),
      ("disparity", { 7 / $0 + 2 }, .disparity), ("feet", { 3.28 * $0 }, nil),
      ("from 0 to 1", { ($0 - 1) / 4 }, nil), ("counts of 1/256 m", { 250 * $0 }, .kitti),
      ("counts of 1/200 m", { 200 * $0 }, nil), ("counts of 1/300 m", { 300 * $0 }, nil),
    ]
    for (name, map, meaning) in kinds {
      let made = try MadeMapSet()
      for frame in 0..<4 {
        for (folder, values) in [
          ("gt", MapFault.room(frame)), ("net", MapFault.network(frame).map(map)),
        ] {
          try made.folder.put(MadeMapSet.numpy(values, "72, 96"), "\(folder)/\(frame).npy")
        }
      }
      let request = made.request(meaning: nil)
      guard let meaning else {
        #expect(made.fault(request).contains("say what the numbers mean"), "\(name)")
        continue
      }
      let source = try MapSetSource(request)
      #expect(source.notes.first?.contains("taken as \(meaning.rawValue)") == true, "\(name)")
      #expect(source.scenes[0].predictions[0].kind == meaning.testedKind)
      let map = try source.everything(0).predictions[0].map
      #expect(meaning != .millimetres || abs(map.values[0] / MapFault.network(0)[0] - 0.9) < 1e-3)
    }
  }
}

extension MapMeaning {
  fileprivate var testedKind: StoredPrediction.Kind { self == .disparity ? .disparity : .metric }
}
