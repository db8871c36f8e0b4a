import ArgumentParser
package import DepthCertification

/// "charuco:11x8,square=0.022m,marker=0.017m,dictionary=6x6,legacy"
package struct BoardArgument: ExpressibleByArgument, DescribedArgument {
  package let board: CharucoBoard
  package static let grammar =
    "a ChArUco board: squares, their side, the markers' side and bits, and legacy for the pattern of OpenCV before 4.6, as in charuco:11x8,square=0.022m,marker=0.017m,dictionary=6x6,legacy"

  package init?(argument: String) {
    var parts = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let isLegacy = parts.contains("legacy")
    parts.removeAll { $0 == "legacy" }
    func value(_ key: String) -> String? {
      guard let place = parts.firstIndex(where: { $0.hasPrefix(key) }) else { return nil }
      return String(parts.remove(at: place).dropFirst(key.count))
    }
    func pair(_ key: String) -> (Int, Int)? {
      let numbers = value(key)?.split(separator: "x").compactMap { Int($0) } ?? []
      return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
    guard let (columns, rows) = pair("charuco:"), let bits = pair("dictionary="),
      let square = value("square=").flatMap(Length.init), let marker = value("marker=").flatMap(Length.init),
      parts.isEmpty, (3...100).contains(columns), (3...100).contains(rows), bits.0 == bits.1,
      (4...7).contains(bits.0), marker.metres < square.metres
    else { return nil }
    board = CharucoBoard(
      columns: columns, rows: rows, square: square.metres, marker: marker.metres, dictionary: bits.0,
      isLegacy: isLegacy)
  }
}
