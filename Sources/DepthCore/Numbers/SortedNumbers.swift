/// Numbers of several maps in order, in which equal ones are found as runs.
struct SortedNumbers {
  let values: [Float]
  init(_ maps: [[Float]]) { values = maps.flatMap(\.self).sorted() }

  /// The longest runs of equal numbers, the longest first.
  func longestRuns(_ count: Int) -> [Range<Int>] {
    var longest: [Range<Int>] = []
    var begin = 0
    while begin < values.count {
      var end = begin + 1
      while end < values.count, values[end] == values[begin] { end += 1 }
      if longest.count < count || (longest.last?.count ?? 0) < end - begin {
        longest.insert(begin..<end, at: longest.firstIndex { $0.count < end - begin } ?? longest.count)
        if longest.count > count { longest.removeLast() }
      }
      begin = end
    }
    return longest
  }

  /// Numbers within a factor of one, itself included.
  func count(within factor: Double, of value: Float) -> Int { range(within: factor, of: value).count }

  /// Length of the longest run within a factor of a number, but its own.
  func longestRun(within factor: Double, of value: Float, without run: Range<Int>) -> Int {
    var (longest, length) = (0, 0)
    let range = range(within: factor, of: value)
    for index in range where !run.contains(index) {
      length = index > range.lowerBound && values[index - 1] == values[index] ? length + 1 : 1
      longest = max(longest, length)
    }
    return longest
  }

  /// A number in the counts in which the others are stored: thousandths or five thousandths of a metre; nil where they are finer.
  func count(of value: Float, without run: Range<Int>) -> Int? {
    let others = stride(from: 0, to: values.count, by: max(1, values.count / 500))
      .filter { !run.contains($0) }.map { Double(values[$0]) }
    for counts in [1000.0, 5000] where Double(value) * counts <= 65_535 {
      guard others.allSatisfy({ abs($0 * counts - ($0 * counts).rounded()) < 0.01 }) else { continue }
      return Int((Double(value) * counts).rounded())
    }
    return nil
  }

  private func range(within factor: Double, of value: Float) -> Range<Int> {
    let (low, high) = (Float(Double(value) / factor), Float(Double(value) * factor))
    return position { $0 < low }..<position { $0 <= high }
  }

  /// Position of the first number for which a predicate fails that holds for all before.
  private func position(_ isBefore: (Float) -> Bool) -> Int {
    var (low, high) = (0, values.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(values[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
