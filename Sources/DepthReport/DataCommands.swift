package import FathomPlainText
package import FathomRunFolders
import FathomStorage

/// Commands over the data of a job: they read them in the same way, and a shell takes them as they stand in the folder where the job
/// ran.
package struct DataCommands {
  private static let several = "DATA"  // Stands for data sets that are too many to name.
  private static let mostPaths = 8
  package static let pageFolder = "FOLDER"  // The folder of a page, which says the same wherever it lies.
  package static let meaningOfFolder = "; \(pageFolder) is the folder of this page"
  package let data: RunData
  package let inputs: [String]  // Of the data sets that can be read.
  private let scenePattern: String?

  /// - Parameter inputs: The data sets as a manifest lists them.
  package init(_ data: RunData, inputs: [RunManifest.Input], scenePattern: String?) {
    (self.data, self.scenePattern) = (data, scenePattern)
    let readable = zip(data.paths, inputs).filter { $1.unreadable == nil }.map(\.0)
    self.inputs = (1...Self.mostPaths).contains(readable.count) ? readable : [Self.several]
  }

  package var only: String { inputs.count == 1 ? inputs[0] : Self.several }  // Where it is only one.

  /// Whether ``only`` is a data set, to which something can be added.
  package var isDataset: Bool {
    data.mapping == nil
      && (only == Self.several || [".h5", ".hdf5"].contains { only.lowercased().hasSuffix($0) })
  }

  /// The data set that a scene of the run lies in.
  package func path(of scene: String) -> String? {
    data.positions[scene].flatMap { data.paths.indices.contains($0) ? data.paths[$0] : nil }
  }

  package var truth: [String] { data.isMultiview ? ["\(flag: "truth")", "multiview"] : [] }
  package var chosen: [String] { scenePattern.map { Self.option("scenes", $0) } ?? [] }

  /// - Parameter paths: What it is about, ``inputs`` for all.
  package func command(_ subcommand: String, _ paths: [String], _ options: [String]) -> String {
    let places =
      (data.mapping.map { Self.option("mapping", $0) } ?? [])
      + (data.external.includesOwn ? ["\(flag: "allow-external")"] : [])
      + data.external.named.flatMap { Self.option("external-folder", $0) }
    return (["fathom", subcommand] + paths + places + options).map(\.shellQuoted).joined(separator: " ")
  }

  /// A value that begins with a hyphen would be taken for an option.
  package static func option(_ name: OptionName, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(flag: name)=\(value)"] : [name.flag, value]
  }
}

extension String {
  /// A data set's name before a colon: "Data set a" for a name of one or two letters, which alone would look like a list.
  package var asDataSet: String { count < 3 ? "Data set \(self)" : self }
  /// "confidence 2" at the beginning of a sentence.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
