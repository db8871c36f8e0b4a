public import FathomStorage
import Synchronization

/// A row that can lie on a disk.
public protocol StoredRow: Sendable {
  /// Room that it takes in memory, about; bytes.
  var footprint: Int { get }
  func write(to writer: inout RowWriter)
  /// Reads what `write(to:)` wrote.
  init(from reader: inout RowReader)
}

/// Rows in order, as many as a disk holds: the first are in memory, the others in a file without a name.
///
/// It can be gone through any number of times and from several tasks; each time, a block of rows is in memory at once.
/// Where the disk gives rows back no more, going through them ends early: see ``failure``.
public struct RowStore<Row: StoredRow>: Sequence, Sendable {
  private let held: [Row]  // Rows in memory.
  /// The rows behind them; nil where all are in memory.
  private let spilled: SpilledRows?
  private var replaced: [Int: Row] = [:]  // Rows that replace others, by position.
  /// Rows that are in memory as they are.
  public init(_ rows: [Row] = []) { (held, spilled) = (rows, nil) }
  init(_ held: [Row], _ spilled: SpilledRows?) { (self.held, self.spilled) = (held, spilled) }
  public var count: Int { held.count + (spilled?.count ?? 0) }
  public var isEmpty: Bool { count == 0 }
  /// Why rows could not be read back so far; whatever was made of the rows is then worth nothing. nil where all were.
  public var failure: FathomError? { spilled?.failure }
  /// - Throws: ``failure``.
  public func requireWhole() throws(FathomError) { if let failure { throw failure } }
  public var first: Row? { first { _ in true } }
  /// What comes whatever the disk does.
  public var underestimatedCount: Int { held.count }

  /// The same rows, some of them with others in their place.
  /// - Parameter rows: By position; they are kept in memory.
  public func replacing(_ rows: [Int: Row]) -> RowStore {
    var store = self
    store.replaced.merge(rows) { $1 }
    return store
  }

  public func makeIterator() -> Iterator { Iterator(self) }

  public struct Iterator: IteratorProtocol {
    private let store: RowStore
    private var position = 0  // Of the next row.
    private var block = 0, left = 0, reader = RowReader([], names: [])
    fileprivate init(_ store: RowStore) { self.store = store }

    public mutating func next() -> Row? {
      guard let row = stored() else { return nil }
      defer { position += 1 }
      return store.replaced.isEmpty ? row : store.replaced[position] ?? row
    }

    private mutating func stored() -> Row? {
      if position < store.held.count { return store.held[position] }
      guard let spilled = store.spilled else { return nil }
      if left == 0 {
        guard block < spilled.blocks.count, let next = spilled.reader(of: block) else { return nil }
        (reader, left) = (next, spilled.blocks[block].rows)
        block += 1
      }
      left -= 1
      return Row(from: &reader)
    }
  }
}

/// Rows in a file: nothing of it changes any more.
final class SpilledRows: Sendable {
  /// Rows that were written, and are read, together.
  struct Block { let offset: Int, size: Int, rows: Int }
  let blocks: [Block], count: Int
  private let file: TemporaryFile, names: [String]
  private let fault = Mutex<FathomError?>(nil)
  /// Why a block could not be read; nil where all that were asked for could.
  var failure: FathomError? { fault.withLock { $0 } }

  init(_ file: consuming TemporaryFile, _ blocks: [Block], names: [String]) {
    (self.blocks, self.names) = (blocks, names)
    count = blocks.reduce(0) { $0 + $1.rows }
    self.file = file
  }

  /// nil where the disk does not give the block back, now or before.
  func reader(of block: Int) -> RowReader? {
    guard failure == nil else { return nil }
    do throws(FathomError) {
      return RowReader(try file.read(blocks[block].size, at: blocks[block].offset), names: names)
    } catch {
      fault.withLock { $0 = $0 ?? error }
      return nil
    }
  }
}
