import Foundation
import FoundationXML

/// What an SVG document draws, read by an XML parser.
final class DrawnElements: NSObject, XMLParserDelegate {
  struct Text: Equatable {
    let string: String, x: Double, y: Double
  }

  struct Symbol: Equatable {
    let link: String, colour: String, x: Double, y: Double
  }

  private(set) var root: [String: String] = [:]
  private(set) var title = ""
  private(set) var explanation = ""
  private(set) var texts: [Text] = []
  /// Marks of points, also those of the legend.
  private(set) var symbols: [Symbol] = []
  /// Colours of filled areas, without blanks.
  private(set) var fills: [String] = []
  /// Strokes with their path data.
  private(set) var paths: [(colour: String, data: String)] = []
  private(set) var ids: [String] = []
  /// What refers to an id.
  private(set) var links: [String] = []

  private var name = ""
  private var string = ""
  private var places: [(x: Double, y: Double)?] = []

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
    (name, string) = (element, "")
    places.append(Self.translation(attributes["transform"]))
    if let id = attributes["id"] { ids.append(id) }
    let colour = { (attribute: String) in (attributes[attribute] ?? "").replacing(" ", with: "") }
    switch element {
    case "svg": root = attributes
    case "use":
      links.append(attributes["xlink:href"] ?? "")
      if let place = places.last ?? nil {
        symbols.append(
          Symbol(link: attributes["xlink:href"] ?? "", colour: colour("color"), x: place.x, y: place.y))
      }
    case "polygon": fills.append(colour("fill"))
    case "path": paths.append((colour("stroke"), attributes["d"] ?? ""))
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) { string += characters }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
  ) {
    places.removeLast()
    switch element {
    case "title": title = string
    case "desc": explanation = string
    case "text":
      if let place = places.last ?? nil { texts.append(Text(string: string, x: place.x, y: place.y)) }
    default: break
    }
    string = ""
  }

  func text(_ string: String) -> Text? { texts.first { $0.string == string } }

  /// The first two numbers of a translation.
  private static func translation(_ transform: String?) -> (x: Double, y: Double)? {
    guard let match = transform?.firstMatch(of: /translate\(([-0-9.]+),([-0-9.]+)\)/),
      let x = Double(match.1), let y = Double(match.2)
    else { return nil }
    return (x, y)
  }
}
