public import DepthCharts

/// The files of a figure below the folder of its report.
extension Figure {
  /// A drawing.
  public func file(_ size: FigureSize) -> String {
    switch size {
    case .wide: "figures/\(name).svg"
    case .narrow: "figures/\(name).narrow.svg"
    }
  }

  /// The numbers.
  public var dataFile: String { "figures/\(name).csv" }
}

extension FigureBlock {
  public init(_ figure: Figure) {
    self.init(
      name: figure.name, title: figure.title, alt: figure.alt, caption: figure.caption,
      narrowFile: figure.file(.narrow))
  }
}
