/// An element of an SVG document.
struct SVGElement {
  let name: String
  /// In the order in which they are written.
  private(set) var attributes: [(name: String, value: String)] = []
  private(set) var classes: [String] = []  // Words in `class`.
  private(set) var paints: [SVGPaint] = []  // Which colours of the page its own class takes.
  private(set) var children: [SVGElement] = []
  private(set) var text: String?

  init(_ name: String, class word: String? = nil, _ attributes: KeyValuePairs<String, String> = [:]) {
    self.name = name
    classes = word.map { [$0] } ?? []
    self.attributes = attributes.map { ($0, $1) }
  }

  init(_ name: String, text: String, _ attributes: KeyValuePairs<String, String> = [:]) {
    self.init(name, attributes)
    self.text = text
  }

  /// A group, which what it holds takes colours from.
  static func group(_ word: String, _ attributes: KeyValuePairs<String, String> = [:]) -> SVGElement {
    SVGElement("g", class: word, attributes)
  }

  mutating func set(_ name: String, _ value: String) { attributes.append((name, value)) }
  mutating func set(_ name: String, _ value: Double) { set(name, SVGNumber.text(value)) }
  mutating func append(_ child: SVGElement) { children.append(child) }
  /// Nothing for a group without content.
  mutating func appendUnlessEmpty(_ child: SVGElement) { if !child.children.isEmpty { append(child) } }
  /// Fills with a colour; nothing else fills it.
  mutating func fill(_ colour: ChartColour) { paint("fill", colour) }

  /// Draws its outline, or if it is a line itself.
  /// - Parameter width: Pixels.
  mutating func stroke(_ colour: ChartColour, width: Double) {
    paint("stroke", colour)
    set("stroke-width", width)
  }

  func filled(_ colour: ChartColour) -> SVGElement {
    var element = self
    element.fill(colour)
    return element
  }

  func stroked(_ colour: ChartColour, width: Double) -> SVGElement {
    var element = self
    element.stroke(colour, width: width)
    return element
  }

  private mutating func paint(_ property: String, _ colour: ChartColour) {
    // What shows the document without style sheets shows this.
    set(property, colour.light)
    guard colour.variable != nil else { return }
    let paint = SVGPaint(property: property, colour: colour)
    paints.append(paint)
    classes.append(paint.word)
  }

  /// Every paint of it and of what it holds.
  var allPaints: Set<SVGPaint> { children.reduce(into: Set(paints)) { $0.formUnion($1.allPaints) } }

  /// The element with what it holds, one element a line.
  func write(to document: inout String) {
    document += "<\(name)"
    if !classes.isEmpty { document += " class=\"\(classes.joined(separator: " "))\"" }
    for attribute in attributes { document += " \(attribute.name)=\"\(SVGText.escaped(attribute.value))\"" }
    if let text {
      document += ">\(SVGText.escaped(text))</\(name)>\n"
    } else if children.isEmpty {
      document += "/>\n"
    } else {
      document += ">\n"
      for child in children { child.write(to: &document) }
      document += "</\(name)>\n"
    }
  }
}

/// A property whose colour the page decides.
struct SVGPaint: Hashable {
  let property: String  // "fill" or "stroke".
  let colour: ChartColour
  var word: String { "\(property)-\(colour.variable ?? "")" }  // The class of what has it.
  /// What a style sheet says of the class.
  var declaration: String { "\(property):var(--chart-\(colour.variable ?? ""),\(colour.light))" }
}
