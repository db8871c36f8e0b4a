import DepthCore
internal import DepthFusion
import ArgumentParser
import DepthObjects

/// Two numbers, the smaller first: "0.1,4".
struct NumberPair: ExpressibleByArgument {
  let range: ClosedRange<Double>

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.drop { $0 == " " })
    }
    guard numbers.count == 2, let low = numbers[0], let high = numbers[1], low <= high else { return nil }
    range = low...high
  }

  var floats: ClosedRange<Float> { Float(range.lowerBound)...Float(range.upperBound) }

  /// Rounded; the options' own limits say what makes sense.
  var integers: ClosedRange<Int> {
    func integer(_ value: Double) -> Int { Int(saturating: min(max(value.rounded(), -1), 1e6)) }
    return integer(range.lowerBound)...integer(range.upperBound)
  }
}

/// Words, "lidar,truth"; each counts once.
struct WordList: ExpressibleByArgument {
  let words: [String]

  init?(argument: String) {
    var seen: Set<String> = []
    words = argument.split(separator: ",").map { word in
      String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty && seen.insert($0).inserted }
    if words.isEmpty { return nil }
  }

  /// The words of several lists; each counts once.
  static func all(_ lists: [WordList]) -> [String] {
    var seen: Set<String> = []
    return lists.flatMap(\.words).filter { seen.insert($0).inserted }
  }
}

/// Which rows are turned over between boxes, LiDAR, mask and image.
struct FlipChoice: ExpressibleByArgument {
  /// nil for what the conventions call for.
  let flips: RowFlips?

  init?(argument: String) {
    switch argument {
    case "conventions": flips = nil
    case "app": flips = .app
    case "none": flips = RowFlips(boxToDepth: false, depthToMask: false, depthToImage: false)
    default:
      let words = argument.split(separator: ",").map(String.init)
      guard !words.isEmpty, words.allSatisfy(["box", "mask", "image"].contains) else { return nil }
      flips = RowFlips(
        boxToDepth: words.contains("box"), depthToMask: words.contains("mask"),
        depthToImage: words.contains("image"))
    }
  }

  static var allValueStrings: [String] { ["conventions", "app", "none", "box", "mask", "image"] }
}
