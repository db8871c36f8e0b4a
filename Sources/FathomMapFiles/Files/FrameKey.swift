/// What tells the frames of a recording apart, and in which order they come.
package enum FrameKey: Hashable, Comparable, Sendable {
  case number(Int), time(Double), name(String)

  /// What a file's name says; nil where it says nothing of the kind.
  /// - Parameter unit: What a time in it counts.
  init?(_ capture: String, _ matching: FrameMatching, _ unit: TimeUnit = .seconds) {
    switch matching {
    case .number:
      guard let number = Self.number(capture) else { return nil }
      self = .number(number)
    case .time:
      guard let time = Self.time(capture) else { return nil }
      self = .time(unit.seconds(time))
    case .name, .numberOrName: self = .name(capture)
    }
  }

  /// The first number in a text.
  package static func number(_ text: String) -> Int? {
    let digits = text.drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
    return digits.count <= 18 ? Int(digits) : nil
  }

  /// The number behind the last "_" with decimals, else behind the last "_", in a unit that all files tell together: the time in
  /// "41069021_305.401" and in "1300000000.5_123456".
  package static func time(_ text: String) -> Double? {
    let parts = text.split(separator: "_")
    guard let last = parts.last(where: { $0.contains(".") }) ?? parts.last, let time = Double(last),
      abs(time) <= 1e19
    else { return nil }
    return time
  }

  /// nil where it is none.
  package var number: Int? { if case .number(let number) = self { number } else { nil } }

  package static func < (a: FrameKey, b: FrameKey) -> Bool {
    switch (a, b) {
    case (.number(let a), .number(let b)): a < b
    case (.time(let a), .time(let b)): a < b
    case (.name(let a), .name(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    // Frames of one recording are all told apart in one way.
    case (.number, _), (.time, .name): true
    default: false
    }
  }
}

/// The files of one kind by the frames that they belong to.
package struct FileIndex {
  package private(set) var byKey: [FrameKey: String] = [:]
  private var times: [(time: Double, name: String)] = []
  private let tolerance: Double
  /// What the times in their names count.
  package let unit: TimeUnit
  /// The only file there is, where names are not asked.
  private let only: String?
  /// Files whose name does not say which frame they belong to.
  package private(set) var unnamed: [String] = []
  /// Two files of one frame.
  package private(set) var twice: (String, String)?

  /// - Parameter isOneForAll: Whether a single file belongs to the only frame, whatever they are called.
  package init(
    _ files: [(name: String, capture: String)], _ matching: FrameMatching, isOneForAll: Bool = false
  ) {
    if case .time(let tolerance) = matching {
      (self.tolerance, unit) = (tolerance, TimeUnit(of: files.compactMap { FrameKey.time($0.capture) }))
    } else {
      (tolerance, unit) = (0, .seconds)
    }
    only = isOneForAll && files.count == 1 ? files[0].name : nil
    for (name, capture) in files {
      guard let key = FrameKey(capture, matching, unit) else {
        unnamed.append(name)
        continue
      }
      if let other = byKey.updateValue(name, forKey: key), twice == nil { twice = (other, name) }
      if case .time(let time) = key { times.append((time, name)) }
    }
    times.sort { $0.time < $1.time }
  }

  package var isEmpty: Bool { byKey.isEmpty && only == nil }

  /// Why none of them belongs to any frame.
  /// - Parameter what: What they are: "pictures".
  package func stranger(_ what: String, to frames: [FrameKey]) -> String {
    let own = frames.compactMap { if case .time(let time) = $0 { time } else { nil } }
    return own.isEmpty
      ? "none of the \(byKey.count) \(what) has the number or name of a frame"
      : TimeUnit.apart(times.map(\.time), of: what, own, within: tolerance)
  }

  package func file(of key: FrameKey) -> String? {
    if let only { return only }
    guard case .time(let time) = key else { return byKey[key] }
    return times.nearest(to: time, within: tolerance, \.time)?.name
  }
}

extension Array {
  /// Of elements in the order of their times, the one whose time is nearest; nil where none is within the tolerance.
  package func nearest(to time: Double, within tolerance: Double, _ own: (Element) -> Double) -> Element? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if own(self[middle]) < time { low = middle + 1 } else { high = middle }
    }
    let near = [low - 1, low].filter(indices.contains).map { self[$0] }
      .min { abs(own($0) - time) < abs(own($1) - time) }
    return near.flatMap { abs(own($0) - time) <= tolerance ? $0 : nil }
  }
}
