public import FathomStorage

/// A ``RowStore`` that grows at its end.
public struct RowStoreBuilder<Row: StoredRow>: ~Copyable {
  /// Room for rows in memory, bytes.
  public static var standardBudget: Int { 1 << 23 }
  private static var blockSize: Int { 1 << 18 }  // Bytes that are written to the file at once.
  private var held: [Row] = []
  private var room: Int
  private var file: TemporaryFile?
  private let makeFile: () throws(FathomError) -> TemporaryFile
  private var blocks: [SpilledRows.Block] = [], writer = RowWriter()
  private var pending = 0  // Rows in the writer.

  /// - Parameter budget: Room for rows in memory, bytes; the rows that do not fit go to the file.
  /// - Parameter makeFile: Called for the first row that does not fit.
  public init(
    budget: Int = standardBudget,
    makeFile: @escaping () throws(FathomError) -> TemporaryFile = { () throws(FathomError) in
      try TemporaryFile()
    }
  ) {
    (room, self.makeFile) = (budget, makeFile)
    file = nil
  }

  /// Adds a row to the end.
  /// - Throws: `FathomError` where the file cannot be created, or the disk is full.
  public mutating func append(_ row: Row) throws(FathomError) {
    // Once a row has gone to the file, all after it do: the order is that of appending.
    let isInMemory = blocks.isEmpty && pending == 0
    let size = isInMemory ? row.footprint : 0
    if isInMemory, size <= room {
      held.append(row)
      room -= size
      return
    }
    row.write(to: &writer)
    pending += 1
    if writer.bytes.count >= Self.blockSize { try flush() }
  }

  /// A place between two rows that can be gone back to.
  public struct Mark: Sendable { fileprivate let held: Int, room: Int, blocks: Int }

  /// The place behind the last row.
  /// - Throws: `FathomError` as ``append(_:)`` does.
  public mutating func mark() throws(FathomError) -> Mark {
    try flush()
    return Mark(held: held.count, room: room, blocks: blocks.count)
  }

  /// Takes away the rows behind a place.
  public mutating func remove(after mark: Mark) {
    writer.removeBytes()
    pending = 0
    held.removeLast(held.count - mark.held)
    blocks.removeLast(blocks.count - mark.blocks)
    room = mark.room
  }

  /// The rows, to which none is added any more.
  /// - Throws: `FathomError` as ``append(_:)`` does.
  public consuming func finished() throws(FathomError) -> RowStore<Row> {
    try flush()
    guard let file = file.take() else { return RowStore(held) }
    return RowStore(held, SpilledRows(file, blocks, names: writer.names))
  }

  private mutating func flush() throws(FathomError) {
    guard pending > 0 else { return }
    if file == nil { file = try makeFile() }
    let offset = blocks.last.map { $0.offset + $0.size } ?? 0
    try file?.write(writer.bytes, at: offset)
    blocks.append(SpilledRows.Block(offset: offset, size: writer.bytes.count, rows: pending))
    writer.removeBytes()
    pending = 0
  }
}
