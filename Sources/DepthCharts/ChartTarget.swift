/// What a mark of a chart leads to: a place of the report that the figure belongs to.
public struct ChartTarget: Sendable, Equatable {
  /// Id of an element of the page: letters, digits and hyphens.
  public let anchor: String
  /// What the mark is, shown where a pointer rests on it: "room-03/5: auto, 1.2 %".
  public let label: String
  public init(_ anchor: String, label: String) { (self.anchor, self.label) = (anchor, label) }
  /// What links begin with in a figure's own file, which lies in a folder beside the page.
  public static let page = "../report.html"
}
