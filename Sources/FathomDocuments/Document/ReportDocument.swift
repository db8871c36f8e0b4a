import FathomTables
/// A report as people read it, before it has a format: headings, sentences, tables, figures and pictures.
///
/// `report.json` in a run folder is this value; Markdown, HTML and LaTeX are renderings of it, so that all formats
/// hold the same numbers. Sentences may hold **bold** and `code` in Markdown's notation, and nothing else; a backslash before an
/// asterisk, a backquote or a backslash makes it a letter, as in names from data. Cells and titles are plain text.
public struct ReportDocument: Codable, Sendable, Equatable {
  /// A heading and what stands under it.
  public struct Section: Codable, Sendable, Equatable {
    /// Unique within the document, stable between runs: "methods"; an anchor of the page and a label in LaTeX.
    public var id: String
    public var title: String, blocks: [Block], subsections: [Section]
    /// Whether pages fold it away until somebody wants it.
    public var isFolded: Bool?

    public init(
      _ id: String, _ title: String, _ blocks: [Block], subsections: [Section] = [], folded: Bool = false
    ) {
      (self.id, self.title, self.blocks, self.subsections) = (id, title, blocks, subsections)
      isFolded = folded ? true : nil
    }

    /// About one table, which has the section's id.
    /// - Parameter paragraphs: Above it.
    /// - Parameter blocks: Below it.
    /// - Parameter notes: A list at the end.
    package init(
      _ id: String, _ title: String, paragraphs: [String] = [], caption: String,
      role: TableBlock.Role = .result, _ table: DisplayTable, then blocks: [Block] = [], notes: [String] = [],
      folded: Bool = false
    ) {
      let list: [Block] = notes.isEmpty ? [] : [.list(notes)]
      self.init(
        id, title,
        paragraphs.map { .paragraph($0) } + [.table(id, caption: caption, role: role, table)] + blocks + list,
        folded: folded)
    }
  }

  /// What stands under a heading, in order.
  public enum Block: Codable, Sendable, Equatable {
    case paragraph(String)
    /// Sentences of equal rank.
    case list([String])
    case table(TableBlock)
    case figure(FigureBlock)
    case gallery(GalleryBlock)
    case answer(AnswerBlock)
    case overview(OverviewBlock)

    package static func table(
      _ id: String, caption: String, role: TableBlock.Role = .result, _ table: DisplayTable
    ) -> Block {
      .table(TableBlock(id, caption: caption, role: role, table))
    }
  }

  /// "demo: accuracy of depth fusion".
  public var title: String
  /// What limits everything else; stands above all, in bold.
  public var caveat: String?
  /// Name and version of what wrote it.
  public var generator: String
  /// The first one holds the findings.
  public var sections: [Section]

  public init(title: String, caveat: String? = nil, sections: [Section]) {
    (self.title, self.caveat, self.sections) = (title, caveat, sections)
    generator = "fathom \(Version.current)"
  }

  /// Every section, subsections after the one that holds them.
  public var allSections: [Section] { sections.flatMap(\.withSubsections) }

  /// The outcome in a few words; nil where no overview stands in it.
  package var badge: OverviewBlock.Badge? {
    allSections.lazy.flatMap(\.blocks).compactMap { block in
      if case .overview(let overview) = block { overview.badge } else { nil }
    }.first
  }

  /// Figures and pictures that it shows, below its folder: "figures/noise.svg".
  package var files: [String] {
    allSections.flatMap(\.blocks).flatMap { block -> [String] in
      switch block {
      case .paragraph, .list, .table, .answer: []
      case .overview(let overview): overview.frame?.pictures.map(\.file) ?? []
      case .figure(let figure): [figure.file] + (figure.narrowFile.map { [$0] } ?? [])
      case .gallery(let gallery):
        gallery.frames.flatMap { $0.pictures.map(\.file) + ($0.cloud.map { [$0.file] } ?? []) }
          + gallery.scales.map(\.file) + (gallery.scene.map { [$0.file] } ?? [])
      }
    }
  }
}

/// An object with one member, named after the kind: `{"paragraph": "…"}`.
extension ReportDocument.Block {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case paragraph, list, table, figure, gallery, answer, overview
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch container.allKeys.first {
    case .paragraph: self = .paragraph(try container.decode(String.self, forKey: .paragraph))
    case .list: self = .list(try container.decode([String].self, forKey: .list))
    case .table: self = .table(try container.decode(TableBlock.self, forKey: .table))
    case .figure: self = .figure(try container.decode(FigureBlock.self, forKey: .figure))
    case .gallery: self = .gallery(try container.decode(GalleryBlock.self, forKey: .gallery))
    case .answer: self = .answer(try container.decode(AnswerBlock.self, forKey: .answer))
    case .overview: self = .overview(try container.decode(OverviewBlock.self, forKey: .overview))
    case nil:
      let kinds = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a block is one of \(kinds)"))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .paragraph(let text): try container.encode(text, forKey: .paragraph)
    case .list(let sentences): try container.encode(sentences, forKey: .list)
    case .table(let table): try container.encode(table, forKey: .table)
    case .figure(let figure): try container.encode(figure, forKey: .figure)
    case .gallery(let gallery): try container.encode(gallery, forKey: .gallery)
    case .answer(let answer): try container.encode(answer, forKey: .answer)
    case .overview(let overview): try container.encode(overview, forKey: .overview)
    }
  }
}

extension ReportDocument.Section {
  fileprivate var withSubsections: [Self] { [self] + subsections.flatMap(\.withSubsections) }
}

/// What a report says first: few lines, each with a word on what it is.
public struct AnswerBlock: Codable, Sendable, Equatable {
  public struct Line: Codable, Sendable, Equatable {
    /// "Measured", "Answer", "Where", "Next".
    public var label: String
    public var text: String
    public init(_ label: String, _ text: String) { (self.label, self.text) = (label, text) }
  }

  public var lines: [Line]
  public init(_ lines: [Line]) { self.lines = lines }
}

/// A table with its name and what it says about itself.
public struct TableBlock: Codable, Sendable, Equatable {
  public enum Role: String, Codable, Sendable {
    /// Numbers that were measured: also written by `--format latex`.
    case result
    /// Definitions, provenance.
    case reference
  }

  /// Unique within the document: "methods".
  public var id: String
  /// One sentence for the head of the table in a paper; not shown in Markdown, where the heading stands above it.
  public var caption: String
  public var role: Role, table: DisplayTable

  public init(_ id: String, caption: String, role: Role = .result, _ table: DisplayTable) {
    (self.id, self.caption, self.role, self.table) = (id, caption, role, table)
  }
}

/// A chart that lies beside the report: `figures/NAME.svg`, for phones `figures/NAME.narrow.svg`, and `figures/NAME.csv`.
public struct FigureBlock: Codable, Sendable, Equatable {
  /// The name of the chart that the top of a page leads to.
  package static let framesOverTime = "error-over-time"

  /// Stem of the files.
  public var name: String
  public var title: String
  /// What it shows, for those who cannot see it.
  public var alt: String
  /// What to look for; nil where ``alt`` says that, too.
  public var caption: String?
  /// The drawing for a phone, below the run folder; nil in older documents.
  public var narrowFile: String?

  public init(name: String, title: String, alt: String, caption: String? = nil, narrowFile: String? = nil) {
    (self.name, self.title, self.alt, self.caption) = (name, title, alt, caption)
    self.narrowFile = narrowFile
  }

  var file: String { "figures/\(name).svg" }  // The drawing below the run folder.
}

/// Frames to look at and to compare, each as pictures of one size.
public struct GalleryBlock: Codable, Sendable, Equatable {
  /// One view of a frame.
  public struct Picture: Codable, Sendable, Equatable {
    /// What it shows: "image", "LiDAR", "fused", "truth", "error". Frames share these, in this order.
    public var role: String
    /// Below the run folder: "gallery/worst-1-fused.png".
    public var file: String
    /// For those who cannot see it.
    public var alt: String

    public init(role: String, file: String, alt: String) {
      (self.role, self.file, self.alt) = (role, file, alt)
    }
  }
  /// Points that a page can turn.
  public struct Cloud: Codable, Sendable, Equatable {
    /// Below the run folder, as ``CloudFile`` has it.
    public var file: String
    public var count: Int
    /// What the points have colours of, in the order of the file: "error", "image"; "frame" for those of several frames.
    public var colours: [String]
    /// What it shows, in words.
    public var alt: String
    /// For points in a world with y up: the direction from which they are shown at first, degrees about y, 0 looking along −z. nil for
    /// points before a camera, which are shown as it sees them.
    public var yaw: Int?

    public init(file: String, count: Int, colours: [String], alt: String, yaw: Int? = nil) {
      (self.file, self.count, self.colours, self.alt, self.yaw) = (file, count, colours, alt, yaw)
    }
  }
  /// One frame.
  public struct Frame: Codable, Sendable, Equatable {
    /// Why it is here: "worst", "median", "best".
    public var rank: String
    /// "room-03/5".
    public var title: String
    /// Where links to it lead, unique in the document: "gallery-17"; nil in documents of version 0.1.
    public var anchor: String?
    /// Its numbers, in words.
    public var caption: String
    public var pictures: [Picture]
    /// Its map as points in space; nil where there is none, and in older documents.
    public var cloud: Cloud?

    public init(
      rank: String, title: String, caption: String, pictures: [Picture], anchor: String? = nil,
      cloud: Cloud? = nil
    ) {
      (self.rank, self.title, self.caption, self.pictures) = (rank, title, caption, pictures)
      (self.anchor, self.cloud) = (anchor, cloud)
    }
  }
  /// What the colours mean, for pictures of the same scale.
  public struct Scale: Codable, Sendable, Equatable {
    /// Roles of the pictures that use it: "LiDAR", "fused", "truth".
    public var roles: [String]
    /// "depth, 0.5 to 5 m".
    public var title: String
    /// A picture of the colour bar below the run folder.
    public var file: String
    /// The same for a dark page; nil in older documents.
    public var darkFile: String?

    public init(roles: [String], title: String, file: String, darkFile: String? = nil) {
      (self.roles, self.title, self.file, self.darkFile) = (roles, title, file, darkFile)
    }
  }

  public var frames: [Frame], scales: [Scale]
  /// Several frames of the first one's scene in one space; nil where poses are not known, and in older documents.
  public var scene: Cloud?
  public init(frames: [Frame], scales: [Scale], scene: Cloud? = nil) {
    (self.frames, self.scales, self.scene) = (frames, scales, scene)
  }
}
