import ArgumentParser

/// A number of bytes as one writes it: "500M", "4G", "4GiB".
package struct ByteCount: ExpressibleByArgument, Hashable {
  package let bytes: Int
  private static let least = 1 << 20  // Less cannot hold a frame: it is a number whose unit was forgotten.

  package init?(argument: String) {
    let digits = argument.prefix { $0.isNumber || $0 == "." }
    let unit = argument.dropFirst(digits.count).uppercased()
    let shifts = ["": 0, "K": 10, "M": 20, "G": 30, "T": 40]
    let letters =
      unit.hasSuffix("IB") ? String(unit.dropLast(2)) : unit.hasSuffix("B") ? String(unit.dropLast()) : unit
    guard let number = Double(digits), number.isFinite, number > 0, let shift = shifts[letters],
      let bytes = Int(exactly: (number * Double(1 << shift)).rounded()), bytes >= Self.least
    else { return nil }
    self.bytes = bytes
  }
}

/// How a command shows how far it is.
package enum ProgressForm: String, ExpressibleByArgument, CaseIterable { case bar, json }
