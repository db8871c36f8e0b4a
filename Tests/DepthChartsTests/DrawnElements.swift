import Foundation
import FoundationXML

/// What an SVG document draws, read by an XML parser.
final class DrawnElements: NSObject, XMLParserDelegate {
  struct Text: Equatable {
    let string: String, x: Double, y: Double
  }

  /// An element with everything that it inherits from the groups around it.
  struct Shape {
    let name: String
    /// Its own attributes and, where it has none, those of the groups.
    let attributes: [String: String]
    /// Classes of it and of the groups around it.
    let classes: Set<String>

    func number(_ attribute: String) -> Double? { attributes[attribute].flatMap(Double.init) }

    /// Centre of a mark: of a circle, or where its path starts.
    var centre: SIMD2<Double>? {
      if let x = number("cx"), let y = number("cy") { return [x, y] }
      guard let match = attributes["d"]?.firstMatch(of: /^M([-0-9.]+),([-0-9.]+)/), let x = Double(match.1),
        let y = Double(match.2)
      else { return nil }
      return [x, y]
    }
  }

  private(set) var root: [String: String] = [:]
  private(set) var title = ""
  private(set) var explanation = ""
  private(set) var style = ""
  private(set) var texts: [Text] = []
  private(set) var shapes: [Shape] = []
  private(set) var ids: [String] = []
  /// Every attribute of every element.
  private(set) var values: [(name: String, value: String)] = []

  private var string = ""
  private var open: [Shape] = []

  /// nil where the document is not well-formed.
  init?(_ svg: String) {
    super.init()
    let parser = XMLParser(data: Data(svg.utf8))
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    string = ""
    if element == "svg" { root = attributes }
    if let id = attributes["id"] { ids.append(id) }
    values += attributes.map { ($0, $1) }
    let own = Set((attributes["class"] ?? "").split(separator: " ").map(String.init))
    let shape = Shape(
      name: element, attributes: (open.last?.attributes ?? [:]).merging(attributes) { $1 },
      classes: own.union(open.last?.classes ?? []))
    open.append(shape)
    if ["circle", "path", "rect", "line"].contains(element) { shapes.append(shape) }
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { string += characters }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    let shape = open.removeLast()
    switch element {
    case "title": title = string
    case "desc": explanation = string
    case "style": style = string
    case "text":
      texts.append(Text(string: string, x: shape.number("x") ?? .nan, y: shape.number("y") ?? .nan))
    default: break
    }
    string = ""
  }

  func text(_ string: String) -> Text? { texts.first { $0.string == string } }

  /// Shapes within groups of this class, without those of the legend.
  func shapes(in word: String, of series: String? = nil) -> [Shape] {
    shapes.filter { shape in
      shape.classes.contains(word) && !shape.classes.contains("legend")
        && (series == nil || shape.attributes["data-series"] == series)
    }
  }

  /// Centres of the marks of a series.
  func marks(of series: String) -> [SIMD2<Double>] { shapes(in: "points", of: series).compactMap(\.centre) }

  /// Values and places along an axis, from its ends.
  func places(on axis: String) throws -> (low: SIMD2<Double>, high: SIMD2<Double>, isLogarithmic: Bool) {
    let line = shapes.first { $0.classes.contains("end-to-end") && $0.attributes["data-axis"] == axis }
    guard let line, let low = line.number("data-low"), let high = line.number("data-high"),
      let from = line.number(axis + "1"), let to = line.number(axis + "2")
    else { throw CocoaError(.formatting) }
    return ([low, from], [high, to], line.attributes["data-scale"] == "log")
  }
}
