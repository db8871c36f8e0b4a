package import DepthEvaluation
import DepthVerdicts

/// The rows of a run in groups of neighbours: one frame's at a time.
package struct RowGroups: Sequence {
  private let rows: RowStore<FrameRecord>
  private let belongTogether: (FrameRecord, FrameRecord) -> Bool

  /// - Parameter belongTogether: Whether a row belongs to the group that the row before it is in.
  package init(
    _ rows: RowStore<FrameRecord>, by belongTogether: @escaping (FrameRecord, FrameRecord) -> Bool
  ) {
    (self.rows, self.belongTogether) = (rows, belongTogether)
  }

  package func makeIterator() -> Iterator { Iterator(rows.makeIterator(), belongTogether) }

  package struct Iterator: IteratorProtocol {
    private var rows: RowStore<FrameRecord>.Iterator
    private let belongTogether: (FrameRecord, FrameRecord) -> Bool
    /// The first row of the next group.
    private var ahead: FrameRecord?

    fileprivate init(
      _ rows: RowStore<FrameRecord>.Iterator, _ belongTogether: @escaping (FrameRecord, FrameRecord) -> Bool
    ) {
      (self.rows, self.belongTogether) = (rows, belongTogether)
      ahead = self.rows.next()
    }

    package mutating func next() -> [FrameRecord]? {
      guard var last = ahead else { return nil }
      var group = [last]
      while let row = rows.next() {
        guard belongTogether(last, row) else {
          ahead = row
          return group
        }
        group.append(row)
        last = row
      }
      ahead = nil
      return group
    }
  }
}

extension EvaluationRun {
  /// The rows frame by frame.
  package var frames: RowGroups {
    RowGroups(records) { $0.scene == $1.scene && $0.frameIndex == $1.frameIndex }
  }

  /// How many frames were evaluated of each scene.
  package var frameCounts: [String: Int] { frames.reduce(into: [:]) { $0[$1[0].scene, default: 0] += 1 } }
}
