/// What is to happen, the earliest first. What happens at one time comes by rank, the lower first, then in the order in which it was
/// added: a simulation gives the same result each time.
public struct EventQueue<Event: Sendable>: Sendable {
  private struct Entry {
    var time: Int, rank: Int, number: Int, event: Event
    func precedes(_ other: Entry) -> Bool { (time, rank, number) < (other.time, other.rank, other.number) }
  }

  private var entries: [Entry] = []  // A binary heap.
  private var added = 0
  public init() {}
  public var isEmpty: Bool { entries.isEmpty }

  /// - Parameter time: Nanoseconds.
  /// - Parameter rank: Among events of the same time.
  public mutating func add(_ event: Event, at time: Int, rank: Int = 0) {
    entries.append(Entry(time: time, rank: rank, number: added, event: event))
    added += 1
    var child = entries.count - 1
    while child > 0, entries[child].precedes(entries[(child - 1) / 2]) {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the next event out; nil where none is left.
  public mutating func next() -> (time: Int, event: Event)? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return (first.time, first.event) }
    entries[0] = last
    var parent = 0
    while true {
      let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < entries.count }
      guard let child = children.min(by: { entries[$0].precedes(entries[$1]) }),
        entries[child].precedes(entries[parent])
      else { break }
      entries.swapAt(child, parent)
      parent = child
    }
    return (first.time, first.event)
  }
}
