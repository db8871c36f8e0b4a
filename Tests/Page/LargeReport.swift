import FathomPlainText
import DepthCharts
import DepthCore
import DepthGraphics
import FathomDocuments
import FathomDrawingScales

/// The size of a run over 50 scenes of 10 frames: 13 methods, a chart with every frame, nine frames to look at.
enum LargeReport {
  static let sceneCount = 50, framesPerScene = 10, methodCount = 13

  static func fixture() throws -> Fixture {
    var generator = SplitMix64(seed: 1)
    let chart = figure(&generator)
    let (gallery, pictures) = try gallery(&generator)
    let methods = table("methods", rows: methodCount, columns: 7, withIntervals: true, &generator)
    let scenes = table("scenes", rows: sceneCount, columns: methodCount, withIntervals: false, &generator)
    let fits = table(
      "fits", rows: sceneCount * (methodCount - 3), columns: 8, withIntervals: false, &generator)
    let document = ReportDocument(
      title: "large: accuracy of depth fusion",
      sections: [
        .init("findings", "Findings", [.list((1...8).map { "Finding **\($0)** of a run of 500 frames." })]),
        .init(
          "methods", "Methods",
          [.table(methods), .figure(FigureBlock(chart))]),
        .init("scenes", "Scenes", [.table(scenes)]),
        .init("frames", "Frames to look at", [.gallery(gallery)]),
        .init("fits", "Fits", [.table(fits)]),
      ])
    var files = pictures
    for size in FigureSize.allCases {
      files[chart.file(size)] = Array(ChartRenderer.svg([chart], size: size)[0].utf8)
    }
    return Fixture(name: "large", document: document, files: files)
  }

  private static func table(
    _ id: String, rows: Int, columns: Int, withIntervals: Bool, _ generator: inout SplitMix64
  ) -> TableBlock {
    var cells: [[DisplayTable.Cell]] = []
    for row in 0..<rows {
      var line = [DisplayTable.Cell("name-\(row)")]
      for _ in 0..<columns {
        let value = Double.random(in: 0.005...0.02, using: &generator)
        var cell = DisplayTable.Cell(Quantity(value, .significant()).text)
        cell.value = value
        if withIntervals {
          (cell.low, cell.high) = (value * 0.9, value * 1.15)
          cell.interval =
            "[\(Quantity(value * 0.9, .significant(3)).text), \(Quantity(value * 1.15, .significant(3)).text)]"
        }
        line.append(cell)
      }
      cells.append(line)
    }
    let heads = [DisplayTable.Column("name", numeric: false)] + (1...columns).map { .init("metric \($0) ↓") }
    return TableBlock(id, caption: "Errors of every one.", DisplayTable(columns: heads, cells: cells))
  }

  private static func figure(_ generator: inout SplitMix64) -> Figure {
    let frames = (0..<(sceneCount * framesPerScene)).map(Double.init)
    let series = (1...3).map { number in
      ChartSeries(
        "method \(number)", x: frames,
        y: frames.map { _ in Double.random(in: 0.005...0.02, using: &generator) },
        style: .points)
    }
    return .chart(
      Chart(
        "every-frame", title: "Error of every frame", alt: "AbsRel of three methods in 500 frames",
        x: ChartAxis("frame"), y: ChartAxis("AbsRel"), series: series))
  }

  /// Nine frames of five pictures, with as much noise as a photograph has.
  private static func gallery(
    _ generator: inout SplitMix64
  ) throws -> (GalleryBlock, files: [String: [UInt8]]) {
    let roles = ["image", "LiDAR", "fused", "truth", "error"]
    let amplitudes: [Double] = [14, 0, 1, 0, 9]
    var files: [String: [UInt8]] = [:]
    var frames: [GalleryBlock.Frame] = []
    for rank in ["worst", "median", "best"] {
      for number in 1...3 {
        var pictures: [GalleryBlock.Picture] = []
        for (role, amplitude) in zip(roles, amplitudes) {
          let name = "gallery/\(rank)-\(number)-\(role.lowercased()).jpg"
          files[name] = try picture(amplitude, &generator)
          pictures.append(.init(role: role, file: name, alt: "\(role) of \(rank) frame \(number)"))
        }
        frames.append(
          .init(
            rank: rank, title: "scene-\(number)/\(number)", caption: "AbsRel 0.01, MAE 0.02 m",
            pictures: pictures))
      }
    }
    return (GalleryBlock(frames: frames, scales: []), files)
  }

  private static func picture(_ amplitude: Double, _ generator: inout SplitMix64) throws -> [UInt8] {
    let (width, height) = (480, 360)
    var image = Raster(width: width, height: height, filledWith: RGB(red: 0, green: 0, blue: 0))
    for row in 0..<height {
      for column in 0..<width {
        let noise = amplitude > 0 ? Double.random(in: -amplitude...amplitude, using: &generator) : 0
        let share = (Double(row) / 360 + Double(column) / 480) / 2 + noise / 255
        image[row, column] =
          ColourMap.viridis.colour(at: min(max(share, 0), 1)) ?? RGB(red: 0, green: 0, blue: 0)
      }
    }
    return try JPEG.encode(image)
  }
}
