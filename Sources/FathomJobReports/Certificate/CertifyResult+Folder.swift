import FathomRuns
import DepthReport
import FathomDocuments
import DepthCertification
import DepthCore
import DepthGraphics
import FathomPlainText
import FathomRunFolders
public import FathomStudies
import FathomStatistics
public import FathomStorage

extension CertifyResult {
  /// Writes the pages and the pictures; the folder is not yet complete, see `certificate.json`.
  /// - Throws: `FathomError`, `GraphicsError`.
  public func write(to folder: borrowing AtomicFolder) throws {
    for (index, placement) in placements.enumerated() {
      try folder.write(PNG.encode(Self.picture(placement)), to: Self.file(index))
    }
    for (index, pose) in pictured.enumerated() {
      try folder.write(PNG.encode(Self.picture(pose.size, [(pose.pixels, .used)])), to: Self.boardFile(index))
    }
    if !views.isEmpty { try folder.write(try CanonicalJSON.text(views) + "\n", to: "corners.json") }
    if let calibration = certificate.calibration {
      try folder.write(calibration, to: CalibrationDocument.fileName)
    }
    try folder.write(document)
  }

  private static func file(_ index: Int) -> String { "gallery/wall-\(index + 1).png" }
  private static func boardFile(_ index: Int) -> String { "gallery/board-\(index + 1).png" }

  /// Poses that have a picture: the first, the middle and the last one.
  private var pictured: [BoardPose] {
    Set([0, poses.count / 2, poses.count - 1]).sorted().filter(poses.indices.contains).map { poses[$0] }
  }

  /// Pixels of the wall in the colour of what takes part, those of a second face in another one, other pixels with depth in that of what is
  /// out of range.
  private static func picture(_ placement: WallPlacement) -> Raster<RGB> {
    picture(
      placement.wall.size,
      [
        (placement.wall.usualPixels, .outOfRange), (placement.wall.pixels, .used),
        (placement.face?.pixels ?? [], .lowConfidence),
      ])
  }

  private static func picture(
    _ size: RasterSize, _ layers: [(pixels: [Int], state: Validity.State)]
  ) -> Raster<RGB> {
    let step = max(1, FramePictures.standardWidth / size.width)
    var colours = [RGB](repeating: Validity.State.missing.colour, count: size.count)
    for layer in layers { for pixel in layer.pixels { colours[pixel] = layer.state.colour } }
    let (width, height) = (size.width * step, size.height * step)
    return Raster(
      width: width, height: height,
      values: (0..<width * height).map { place in
        colours[place / width / step * size.width + place % width / step]
      })
  }

  /// What the pages say.
  var document: ReportDocument {
    let words = CertificateWords(certificate)
    let lines =
      words.results.map { AnswerBlock.Line("Measured", $0) }
      + (certificate.findings.map(words.text) + words.unconfirmed).map { AnswerBlock.Line("Finding", $0) }
      + [words.verdict].compactMap(\.self).map { AnswerBlock.Line("Verdict", String($0.dropFirst(9))) }
      + words.next.map { AnswerBlock.Line("Next", $0) }
    var sections: [ReportDocument.Section] = [
      .init("limits", "What this certificate does not cover", [.list(words.limitations)]),
      .init("result", "Result", [.answer(AnswerBlock(lines))]),
    ]
    sections += budgets(words)
    if let decision = decision(words) { sections.append(decision) }
    sections += [certificate.board.map(poseSection) ?? placementTable, pictures(words), provenance]
    let subject =
      switch certificate.test {
      case .wall: "range errors by flat walls"
      case .twoWalls: "errors of separations of parallel faces"
      case .board: "range errors by a printed board"
      }
    return ReportDocument(
      title: "\(name): \(subject)",
      caveat: words.caveat, sections: sections)
  }

  private func budgets(_ words: CertificateWords) -> [ReportDocument.Section] {
    func table(_ figure: Certificate.Figure, _ scale: Double, _ unit: String) -> DisplayTable {
      DisplayTable(
        columns: [
          .init("cause", numeric: false), .init("distribution", numeric: false),
          .init("standard uncertainty"),
          .init("sensitivity"), .init("contribution [\(unit)]"), .init("share"), .init("degrees of freedom"),
        ],
        cells: figure.budget.map { part in
          [
            .init(part.name), .init(part.distribution.rawValue),
            .init(Quantity(part.standardUncertainty, .significant(3))),
            .init(Quantity(part.sensitivity, .significant(3))),
            .init(Quantity(part.contribution, .significant(3, times: scale))),
            .init(Quantity(part.share, .percent())), .init(Self.freedom(part.freedom)),
          ]
        })
    }
    func block(_ id: String, _ title: String, _ figure: Certificate.Figure, _ scale: Double, _ unit: String)
      -> [ReportDocument.Block]
    { [.table(id, caption: "Budget of the \(title).", table(figure, scale, unit))] }
    let ranges = certificate.rangeErrors.enumerated().flatMap { index, error in
      block("budget-range-\(index + 1)", "\(words.errorName), \(words.name(error))", error.error, 1000, "mm")
    }
    let scale = certificate.scaleError.map { block("budget-scale", "scale error", $0, 100, "%") } ?? []
    let figures = certificate.rangeErrors.map(\.error) + [certificate.scaleError].compactMap(\.self)
    guard !ranges.isEmpty || !scale.isEmpty else { return [] }
    let isRepeated = (certificate.components?.placements ?? certificate.components?.days) != nil
    if let board = certificate.board {
      let offset =
        certificate.offset.map { block("budget-offset", "offset at depth 0", $0, 1000, "mm") } ?? []
      let model =
        "z = a + (1 + s)·d + e: z is the measured depth of a pixel, d that of the board by its picture, a the offset, s the scale error, and e the errors of frames and of "
        + "the fixed pattern. The range error is that at the mean depth of the board. Standard uncertainties are metres; those of the print and of the intrinsics are shares. "
        + "Frames hold the noise of the corners\(isRepeated ? "; recordings and days hold what they differ by" : "")."
      return [
        .init(
          "budget", "Uncertainty budget",
          [.paragraph(model)] + ranges + scale + offset
            + block("budget-noise", "noise", board.noise, 1000, "mm") + checks(words))
      ]
    }
    let quantity = words.isPair ? "separation of the faces" : "distance"
    let noun = words.isPair ? "separation" : "distance"
    let isTapeInput = figures.contains { $0.budget.contains { $0.name == "tape" } }
    let adds =
      isRepeated
      ? isTapeInput
        ? ". Placements at one \(noun) differ by no more than tape and resolution explain"
        : ". Placements at one \(noun) differ by more than tape and resolution explain: what they and days differ by has these errors in it"
      : ""
    let model =
      "m = a + (1 + s)·(D + δ) + e: m is the measured \(quantity), D the taped one, a the offset, s the scale error, δ the error of the tape, and e those of "
      + "frames, fixed pattern, resolution and intrinsics\(adds). Standard uncertainties are metres; those of the intrinsics are shares of the focal length."
      + (words.isPair
        ? " Parallelism: the part of the angle between the faces that its uncertainty does not explain, times how far the face reaches from its centre."
        : "")
    return [.init("budget", "Uncertainty budget", [.paragraph(model)] + ranges + scale + checks(words))]
  }

  /// Expanded uncertainties beside the intervals of the trials.
  private func checks(_ words: CertificateWords) -> [ReportDocument.Block] {
    let table = DisplayTable(
      columns: [
        .init("figure", numeric: false), .init("u"), .init("degrees of freedom"), .init("k"), .init("U"),
        .init("value ± U"), .init("Monte Carlo"), .init("δ"), .init("confirmed", numeric: false),
      ],
      cells: words.figures.map { name, figure, factor, unit in
        let style = Quantity.Style.supported(times: factor, unit: unit)
        let (value, reach, check) = (figure.value, figure.expandedUncertainty, figure.monteCarlo)
        func size(_ number: Double?, _ digits: Int) -> DisplayTable.Cell {
          .init(Quantity(number, .significant(digits, times: factor, unit: unit)))
        }
        return [
          .init(name), size(figure.standardUncertainty, 3), .init(Self.freedom(figure.freedom)),
          .init(Quantity(figure.coverageFactor, .decimals(2))), size(reach, 3),
          .init(Quantity(nil, style, low: value - reach, high: value + reach).interval),
          .init(Quantity(nil, style, low: check?.low, high: check?.high).interval),
          size(check?.tolerance, 1), .init(check.map { $0.agrees ? "yes" : "no" } ?? ""),
        ]
      })
    let trials = words.figures.compactMap(\.figure.monteCarlo?.trials).first ?? 0
    return [
      .paragraph(
        "Check of the budgets in the manner of JCGM 101: \(counted(trials, "trial")) draw the inputs and solve the model. U is confirmed where both ends of the interval with 95 % of the "
          + "trials differ from value ± U by no more than δ, half a unit of the second digit of U, and two standard errors of the trials."
      ), .table("checks", caption: "Expanded uncertainties, and their check by Monte Carlo.", table),
    ]
  }

  /// Degrees of freedom; from 1000 on a Student distribution is the normal one at the digits shown.
  private static func freedom(_ number: Double?) -> String {
    guard let number else { return "∞" }
    return number >= 1000 ? "over 1000" : Quantity(number, .significant(3)).text
  }

  private func decision(_ words: CertificateWords) -> ReportDocument.Section? {
    let decisions = words.decisions
    guard !decisions.isEmpty else { return nil }
    let table = DisplayTable(
      columns: [
        .init("about", numeric: false), .init("limit"), .init("guard band"),
        .init("decision", numeric: false), .init("risk of accepting"), .init("risk of rejecting"),
      ],
      cells: decisions.map { name, decision, _ in
        let style = name.hasPrefix("scale") ? Quantity.Style.percent(3) : .length
        return [
          .init(name), .init(Quantity(decision.limit, style)), .init(Quantity(decision.guardBand, style)),
          .init(decision.outcome.rawValue.replacing("-", with: " ")),
          .init(Quantity(1 - decision.probability, .percent(2))),
          .init(Quantity(decision.probability, .percent(2))),
        ]
      })
    return .init(
      "decision", "Decision",
      [
        .paragraph(
          "JCGM 106 with a guard band of U: it conforms if the error and U together keep the limit, and does not conform if the error exceeds the limit by U or "
            + "more. The risks are for this device and this result; risks over all devices need to know how many are good."
        ),
        .table("decision", caption: "Decisions against the limits.", table),
      ])
  }

  private var placementTable: ReportDocument.Section {
    let table = DisplayTable(
      columns: [
        .init("scene", numeric: false), .init("taped [m]"), .init("perpendicular [m]"), .init("axis [m]"),
        .init("tilt [°]"), .init("frames"), .init("effective frames"), .init("repeatability [mm]"),
        .init("pixel noise [mm]"), .init("pixels"), .init("effective pixels"), .init("fill"),
        .init("flatness RMS [mm]"), .init("flatness range [mm]"), .init("resolution [mm]"),
      ],
      cells: certificate.placements.map { row in
        func mm(_ value: Double?) -> DisplayTable.Cell {
          .init(Quantity(value, .significant(3, times: 1000)))
        }
        return [
          .init(row.scene), .init(Quantity(row.taped, .decimals(4))),
          .init(Quantity(row.perpendicular, .decimals(4))), .init(Quantity(row.axis, .decimals(4))),
          .init(Quantity(row.tilt, .decimals(1))), .init(count: row.frames),
          .init(Quantity(row.effectiveFrames, .decimals(1))), mm(row.repeatability), mm(row.pixelNoise),
          .init(count: row.pixels), .init(Quantity(row.effectivePixels, .significant(3))),
          .init(Quantity(row.fill, .percent())), mm(row.flatnessRMS), mm(row.flatnessRange),
          mm(row.resolution),
        ]
      })
    let pairs = certificate.placements.compactMap { row in row.face.map { (row, $0) } }
    let faces = DisplayTable(
      columns: [
        .init("scene", numeric: false), .init("taped [m]"), .init("separation [m]"),
        .init("perpendicular [m]"),
        .init("angle between faces [°]"), .init("its u [°]"), .init("pixels"), .init("share"),
      ],
      cells: pairs.map { row, face in
        [
          .init(row.scene), .init(Quantity(row.taped, .decimals(4))),
          .init(Quantity(face.separation, .decimals(4))), .init(Quantity(face.perpendicular, .decimals(4))),
          .init(Quantity(face.angle, .decimals(2))), .init(Quantity(face.angleDeviation, .decimals(2))),
          .init(count: face.pixels), .init(Quantity(face.share, .percent())),
        ]
      })
    return .init(
      "placements", "Placements",
      (pairs.isEmpty
        ? []
        : [.table("faces", caption: "The second face of each scene, parallel to the larger one.", faces)])
        + [.table("placements", caption: "What was measured at each placement.", table)]
        + noiseBlocks)
  }

  private var noiseBlocks: [ReportDocument.Block] {
    let bands = certificate.noiseBands
    guard !bands.isEmpty else { return [] }
    func band(_ start: Double?, _ width: Double, _ digits: Int) -> DisplayTable.Cell {
      .init(
        start.map { start in
          [start, start + width].map { Quantity($0, .decimals(digits)).text }.joined(separator: " to ")
        } ?? "")
    }
    let isBoard = certificate.board != nil
    let first = DisplayTable.Column(isBoard ? "range [m]" : "scene", numeric: false)
    let table = DisplayTable(
      columns: [
        first, .init("incidence [°]", numeric: false), .init("confidence"), .init("pixels"),
        .init("noise [mm]"),
      ],
      cells: bands.map { row in
        let style = Quantity.Style.supported(times: 1000)
        return [
          row.scene.map { .init($0) } ?? band(row.range, NoiseBand.rangeBand, 2),
          band(row.incidence.map(Double.init), Double(NoiseBand.incidenceBand), 0),
          .init(row.confidence.map(String.init) ?? ""), .init(count: row.pixels),
          .init(Quantity(row.noise, style, low: row.low, high: row.high)),
        ]
      })
    let caption =
      isBoard
      ? "Noise of pixels, from the plane of each frame, by range, angle of incidence and confidence, with 95 % intervals."
      : "Noise of pixels over time, by angle of incidence and by confidence, with 95 % intervals."
    return [.table("noise-bands", caption: caption, table)]
  }

  /// Poses by the picture and by the depth.
  private func poseSection(_ board: Certificate.Board) -> ReportDocument.Section {
    let table = DisplayTable(
      columns: [
        .init("scene", numeric: false), .init("frame"), .init("corners"), .init("reprojection [px]"),
        .init("depth [m]"), .init("perpendicular [m]"), .init("tilt [°]"), .init("pixels"), .init("share"),
        .init("depth error [mm]"), .init("distance error [mm]"), .init("angle [°]"), .init("noise [mm]"),
      ],
      cells: board.poses.map { pose in
        func mm(_ value: Double) -> DisplayTable.Cell { .init(Quantity(value, .decimals(2, times: 1000))) }
        return [
          .init(pose.scene), .init(count: pose.frame), .init(count: pose.corners),
          .init(Quantity(pose.reprojection, .decimals(2))), .init(Quantity(pose.depth, .decimals(4))),
          .init(Quantity(pose.perpendicular, .decimals(4))), .init(Quantity(pose.tilt, .decimals(1))),
          .init(count: pose.pixels), .init(Quantity(pose.share, .percent())), mm(pose.error),
          mm(pose.distanceError), .init(Quantity(pose.angle, .decimals(2))), mm(pose.noise),
        ]
      })
    func statistics(_ errors: [Double], _ style: Quantity.Style, _ unit: String) -> String {
      let square = errors.reduce(0) { $0 + $1 * $1 } / Double(max(1, errors.count))
      return
        "root mean square \(Quantity(square.squareRoot(), style).text)\(unit), largest \(Quantity(errors.map(abs).max(), style).text)\(unit)"
    }
    return .init(
      "poses", "Poses, in the manner of ASTM E2919",
      [
        .paragraph(
          "The reference is the pose of the board by its \(board.printed.columns) × \(board.printed.rows) squares of \(Quantity(board.printed.square, .decimals(2, times: 1000, unit: "mm")).text) in the picture. "
            + "Depth on a plane shows three of the six degrees of freedom: a distance and two tilts."
        ),
        .paragraph(
          "Over \(counted(board.poses.count, "pose")), error of the plane's distance: \(statistics(board.poses.map(\.distanceError), .decimals(2, times: 1000), " mm")). "
            + "Angle between the planes: \(statistics(board.poses.map(\.angle), .decimals(2), "°"))."
        ), .table("poses", caption: "The board by its picture and by its depth.", table),
      ] + noiseBlocks)
  }

  private func pictures(_ words: CertificateWords) -> ReportDocument.Section {
    if certificate.board != nil {
      let frames = pictured.enumerated().map { index, pose in
        GalleryBlock.Frame(
          rank: "board", title: "\(pose.scene), frame \(pose.frame)",
          caption:
            "Green: depth that was taken for the board, \(Quantity(pose.share, .percent(0)).text) of its pixels. Black: the rest of the map.",
          pictures: [
            .init(
              role: "board", file: Self.boardFile(index),
              alt: "Pixels of frame \(pose.frame) that were taken for the board")
          ], anchor: "board-\(index + 1)")
      }
      return .init(
        "pictures", "What was taken for the board", [.gallery(GalleryBlock(frames: frames, scales: []))])
    }
    let frames = certificate.placements.enumerated().map { index, placement in
      let share = Quantity(placement.wallShare, .percent(0)).text
      let second =
        placement.face.map { " Orange: for the smaller one, \(Quantity($0.share, .percent(0)).text)." } ?? ""
      return GalleryBlock.Frame(
        rank: "wall", title: placement.scene,
        caption:
          "Green: taken for the \(words.isPair ? "larger face" : "wall"), \(share) of the pixels with depth.\(second) Blue: other depth. Black: none.",
        pictures: [
          .init(
            role: "wall", file: Self.file(index),
            alt: "Pixels of \(placement.scene) that were taken for \(words.isPair ? "the faces" : "the wall")"
          )
        ], anchor: "wall-\(index + 1)")
    }
    return .init(
      "pictures", "What was taken for \(words.isPair ? "the faces" : "the wall")",
      [.gallery(GalleryBlock(frames: frames, scales: []))])
  }

  private var provenance: ReportDocument.Section {
    let devices =
      certificate.devices.isEmpty
      ? "not declared in the data" : certificate.devices.joined(separator: ", ").literal
    return .init(
      "provenance", "Provenance",
      [
        .paragraph("Device: \(devices)."),
        .list(certificate.inputs.map { "`\($0.file)`, SHA-256 `\($0.sha256)`" }),
        .paragraph(
          "Written by Fathom \(certificate.version), build `\(certificate.build ?? "unknown")`. `certificate.json` holds the same numbers in full precision."
        ),
        .paragraph("Serial number: ________ Measured on: ________ Valid until: ________ Signature: ________"),
      ])
  }
}
