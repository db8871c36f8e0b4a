/// What the eye meets first: a badge, a few numbers, the methods in question beside each other, and the worst frame.
public struct OverviewBlock: Codable, Sendable, Equatable {
  /// The outcome in a few words.
  public struct Badge: Codable, Sendable, Equatable {
    /// What colours it.
    public enum Kind: String, Codable, Sendable {
      case better, worse
      /// The data cannot tell, or there is nothing to compare.
      case open
      /// The input is more likely wrong than a method bad.
      case doubtful
    }

    public var kind: Kind
    /// One or two words: "Better", "Cannot tell".
    public var word: String
    /// What the word is about: "auto against the raw LiDAR".
    public var text: String

    public init(_ kind: Kind, _ word: String, _ text: String) {
      (self.kind, self.word, self.text) = (kind, word, text)
    }

    /// "Better: auto against the raw LiDAR"
    public var sentence: String { "\(word): \(text)" }
  }
  /// A number with its name.
  public struct Tile: Codable, Sendable, Equatable {
    public var label: String, value: String
    /// Interval, support, what it rests on.
    public var note: String

    public init(_ label: String, _ value: String, _ note: String) {
      (self.label, self.value, self.note) = (label, value, note)
    }
  }
  /// The first column names methods, the second has their errors; `reference` is drawn as a line through all rows.
  public struct Comparison: Codable, Sendable, Equatable {
    public var title: String, table: DisplayTable
    /// Of the baseline, in the table's unit; nil where it has no row.
    public var reference: Double?
    /// In which of them the raw LiDAR stands in; nil where in none.
    public var note: String?

    package init(title: String, table: DisplayTable, reference: Double? = nil, note: String? = nil) {
      (self.title, self.table, self.reference, self.note) = (title, table, reference, note)
    }
  }

  public var badge: Badge, tiles: [Tile]
  /// nil for fewer than two methods.
  public var comparison: Comparison?
  /// Two of its pictures; nil where none were drawn.
  public var frame: GalleryBlock.Frame?

  package init(
    badge: Badge, tiles: [Tile], comparison: Comparison? = nil, frame: GalleryBlock.Frame? = nil
  ) {
    (self.badge, self.tiles, self.comparison, self.frame) = (badge, tiles, comparison, frame)
  }
}
