import ArgumentParser

/// Numbers with commas between them: "0,65535".
package struct NumberList: ExpressibleByArgument {
  package let numbers: [Double]

  package init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    numbers = words.compactMap { Double($0) }.filter(\.isFinite)
    guard !numbers.isEmpty, numbers.count == words.count else { return nil }
  }
}
