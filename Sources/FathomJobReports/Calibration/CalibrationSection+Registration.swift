import DepthReport
import FathomDocuments
import FathomTables
import FathomPlainText
public import DepthCalibration
import DepthCharts

extension CalibrationSection {
  /// The shift between relative map and LiDAR, with `registration.csv`.
  public static func registration(
    _ fit: RegistrationFit, _ verdict: CalibrationVerdict
  ) -> CalibrationSection {
    let found = verdict.registration
    var section = CalibrationSection("Shift between relative map and LiDAR")
    section.files = [("registration.csv", table(fit))]
    guard found.scenes > 0 else {
      section.sentences = ["No scene has a relative map: there is nothing to register."]
      return section
    }
    guard found.x != nil || found.y != nil else {
      section.sentences = ["No scene shows enough depth edges in both maps: no shift is estimated."]
      section.findings = section.sentences
      return section
    }
    section.findings = [sentence(found)]
    section.sentences = section.findings
    section.tables = [
      Table(
        DisplayTable(
          columns: [
            .text("axis"), .init("shift [LiDAR px]"), .init("95 % interval"), .init("scenes"),
            .text("applied"),
          ],
          cells: [("columns", found.x), ("rows", found.y)].map { name, axis in
            let shift = Quantity(axis?.value, .decimals(3), low: axis?.low, high: axis?.high)
            return [
              .init(name), .init(Quantity(shift.value, shift.style)), .init(shift.interval),
              .init(count: axis?.scenes ?? 0), .init(axis?.isApplied == true ? "yes" : "no"),
            ]
          }))
    ]
    section.notes = [
      "By how much depth edges lie farther right and farther down in the relative map than in the LiDAR's, pixel centres on centres. Per "
        + "scene and axis the mean of two medians, of edges with the nearer side first and last, so that objects that look too large move nothing. "
        + "No truth is used. Intervals by Student's t over scenes.",
      "Edges are searched within 2 LiDAR pixels, so shifts of more than about 1.5 are underestimated: such maps show different views.",
      "A calibrated fusion stays in the relative map's view: if the network's map is shifted relative to LiDAR and truth, correct it in the data instead.",
      "Applied from \(CorrectionFit.fewestScenes) scenes on if the interval excludes zero and the shift is at least "
        + "\(RegistrationFit.leastShift) pixels: edges in maps of two resolutions cannot show less.",
    ]
    section.figures = figure(fit).map { [.chart($0)] } ?? []
    return section
  }

  private static func sentence(_ found: CalibrationVerdict.Registration) -> String {
    func words(_ axis: CalibrationVerdict.Registration.Axis?) -> String {
      axis.map { Quantity($0.value, .decimals(2), low: $0.low, high: $0.high).text } ?? "unknown"
    }
    func applied(_ axis: CalibrationVerdict.Registration.Axis?) -> String {
      Quantity.fixed(axis?.isApplied == true ? axis?.value ?? 0 : 0, 2)
    }
    let shift = "(\(words(found.x)), \(words(found.y))) LiDAR pixels, columns and rows"
    return found.isApplied
      ? "The relative map is shifted relative to the LiDAR by \(shift); the calibration moves it by (\(applied(found.x)), \(applied(found.y)))."
      : "Relative map and LiDAR are not moved: their shift is \(shift), too small or too uncertain to correct."
  }

  private static func table(_ fit: RegistrationFit) -> DataTable {
    struct Row: Sendable {
      let scene: String, x: Double?, y: Double?
      var ofX: Interval?, ofY: Interval?
      let across: Int, down: Int
    }
    var rows = fit.scenes.map { scene in
      Row(
        scene: scene.name, x: scene.shift.x, y: scene.shift.y, across: scene.edgeCounts.across,
        down: scene.edgeCounts.down)
    }
    if !rows.isEmpty {
      rows.append(
        Row(
          scene: "all scenes", x: fit.x?.shift, y: fit.y?.shift, ofX: fit.x?.interval, ofY: fit.y?.interval,
          across: fit.scenes.reduce(0) { $0 + $1.edgeCounts.across },
          down: fit.scenes.reduce(0) { $0 + $1.edgeCounts.down }))
    }
    let (noEdges, single) = ("too few edges", "a single scene")
    return DataTable(
      of: "scene, and all of them",
      [
        .text("scene", "name of the scene, or all scenes") { $0.scene },
        .number("x_px", "shift of the relative map along rows", unit: "LiDAR px", missing: noEdges) { $0.x },
        .number("x_px_low", "lower end of its 95 % interval", unit: "LiDAR px", missing: single, \.ofX?.low),
        .number("x_px_high", "upper end of it", unit: "LiDAR px", missing: single) { $0.ofX?.high },
        .number("y_px", "shift of the relative map along columns", unit: "LiDAR px", missing: noEdges, \.y),
        .number("y_px_low", "lower end of its 95 % interval", unit: "LiDAR px", missing: single, \.ofY?.low),
        .number("y_px_high", "upper end of it", unit: "LiDAR px", missing: single) { $0.ofY?.high },
        .integer("edges_across", "edges that tell the shift along rows") { $0.across },
        .integer("edges_down", "edges that tell the shift along columns") { $0.down },
      ], rows)
  }

  private static func figure(_ fit: RegistrationFit) -> Chart? {
    guard fit.scenes.count >= 2 else { return nil }
    let places = fit.scenes.indices.map(Double.init)
    return Chart(
      "registration", title: "Shift of the relative map by scene",
      what: "Shift between relative map and LiDAR of each scene along columns and rows; zero is in place",
      caption:
        "If the points agree and are not zero, one shift corrects every scene. If they scatter, there is no such shift.",
      x: ChartAxis("scene"), y: ChartAxis("shift", unit: "LiDAR px"),
      series: [
        ChartSeries("columns", x: places, y: fit.scenes.map(\.shift.x), style: .points),
        ChartSeries("rows", x: places, y: fit.scenes.map(\.shift.y), style: .points),
      ], categories: fit.scenes.count <= 40 ? fit.scenes.map(\.name) : nil)
  }
}
