/// The sum of all parts but one, for each in turn, in a time that is proportional to their number and without cancellation:
/// what comes before and what comes after.
struct LeaveOneOut {
  /// Of the parts up to each, and from each on; one more than there are parts.
  private var before: [WeightedSum] = [WeightedSum()]
  private var after: [WeightedSum]

  init(_ parts: [WeightedSum]) {
    for part in parts {
      var sum = before[before.count - 1]
      sum += part
      before.append(sum)
    }
    after = Array(repeating: WeightedSum(), count: parts.count + 1)
    for index in parts.indices.reversed() {
      after[index] = after[index + 1]
      after[index] += parts[index]
    }
  }

  func without(_ part: Int) -> WeightedSum {
    var sum = before[part]
    sum += after[part + 1]
    return sum
  }
}
