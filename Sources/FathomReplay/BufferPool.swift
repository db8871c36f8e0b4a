/// The camera's buffers: a finite number, each with at most one holder.
public struct BufferPool: Sendable {
  private var holders: [Int?]  // Holder by buffer: a frame's number, nil where the buffer is free.
  /// Buffers that are free, and the most that were held at once.
  public private(set) var free: Int, mostHeld = 0

  /// - Precondition: At least one buffer.
  public init(_ capacity: Int) {
    precondition(capacity > 0, "a camera has buffers")
    holders = Array(repeating: nil, count: capacity)
    free = capacity
  }

  public var capacity: Int { holders.count }

  /// Gives a frame so many buffers more, those with the lowest numbers; nil, and nothing is given, where too few are free.
  public mutating func take(_ count: Int, for frame: Int) -> [Int]? {
    guard count <= free else { return nil }
    let taken = Array(holders.indices.filter { holders[$0] == nil }.prefix(count))
    for buffer in taken { holders[buffer] = frame }
    free -= count
    mostHeld = max(mostHeld, capacity - free)
    return taken
  }

  /// Takes back what a frame holds.
  public mutating func release(_ buffers: [Int], of frame: Int) {
    for buffer in buffers {
      precondition(holders[buffer] == frame, "only its holder gives a buffer back")
      holders[buffer] = nil
    }
    free += buffers.count
  }
}
