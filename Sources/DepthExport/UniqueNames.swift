/// Makes names unique by a number behind those that were there before.
struct UniqueNames {
  private var taken: Set<String> = [], nextNumber: [String: Int] = [:]

  mutating func unique(_ name: String) -> String {
    var (candidate, number) = (name, nextNumber[name] ?? 2)
    while !taken.insert(candidate).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    nextNumber[name] = number
    return candidate
  }
}
