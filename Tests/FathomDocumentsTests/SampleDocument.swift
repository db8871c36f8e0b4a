import FathomStatistics
import FathomPlainText

@testable import FathomDocuments

/// One of every block, with what formats have to escape.
let sampleDocument = ReportDocument(
  title: "desk & chair: accuracy", caveat: "One scene only.",
  sections: [
    .init(
      "answer", "Verdict",
      [
        .overview(
          OverviewBlock(
            badge: .init(.better, "Better", "auto against <raw>"),
            tiles: [.init("MAE of auto", "18.4 mm", "95 % interval [17.1, 20.3] mm; 8 frames")],
            comparison: .init(
              title: "Methods by error",
              table: DisplayTable(
                columns: [.init("method", numeric: false), .init("MAE [m]", .lowerIsBetter)],
                cells: [
                  ["auto", cell(0.0184, 0.0171, 0.0203)], ["lidar_bilinear|raw", cell(0.031, 0.0295, 0.034)],
                ]),
              reference: 0.031),
            frame: .init(
              rank: "worst", title: "desk/1", caption: "MAE 0.1 m",
              pictures: [.init(role: "fused", file: "gallery/1-fused.jpg", alt: "fused, desk/1")])))
      ]),
    .init("findings", "Findings", [.list(["**auto** is best: 1.2 mm.", "`spec` refuses 50 % of frames."])]),
    .init(
      "methods", "Methods",
      [
        .paragraph("Means over every pixel; ↓ lower is better."),
        .table(
          TableBlock(
            "methods", caption: "Error of `auto` & others, 95 % intervals.",
            DisplayTable(
              columns: [
                .init("method", numeric: false), .init("MAE [m]", .lowerIsBetter),
                .init("δ₁", .higherIsBetter),
              ],
              cells: [
                ["lidar_bilinear|raw", cell(0.031, 0.0295, 0.034), .init(0.9)],
                ["auto", cell(0.0184, 0.0171, 0.0203, isBest: true), .init(nil)],
              ]))),
        .figure(FigureBlock(name: "error", title: "Error", alt: "auto [best] 1.2 mm")),
      ],
      subsections: [
        .init(
          "definitions", "Definitions",
          [
            .table(
              TableBlock(
                "definitions", caption: "Columns.", role: .reference,
                DisplayTable(columns: [.init("column", numeric: false)], rows: [["mae_m"]])))
          ])
      ]),
    .init(
      "frames", "Frames",
      [
        .gallery(
          GalleryBlock(
            frames: [
              .init(
                rank: "worst", title: "desk/1", caption: "MAE 0.1 m",
                pictures: [.init(role: "fused", file: "gallery/1-fused.jpg", alt: "fused, desk/1")])
            ],
            scales: [.init(roles: ["fused"], title: "depth, 1 to 5 m", file: "gallery/scale-depth.png")]))
      ]),
  ])

private func cell(
  _ value: Double, _ low: Double, _ high: Double, isBest: Bool = false
) -> DisplayTable.Cell {
  var cell = DisplayTable.Cell(value, isBest: isBest)
  cell.interval = "[\(Quantity(low, .significant(3)).text), \(Quantity(high, .significant(3)).text)]"
  (cell.low, cell.high) = (low, high)
  return cell
}
