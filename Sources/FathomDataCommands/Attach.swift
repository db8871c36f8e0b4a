import FathomCommandLine
import FathomDocuments
package import ArgumentParser
import DepthCore
import DepthImport
import FathomPlainText
import FathomRuns

/// Adds maps of networks to a data set.
package struct Attach: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Add a network's relative depth or predictions to a data set.",
    discussion: """
      Maps and frames are matched by name: a map belongs to the frame whose ID is in its name. If the program that wrote the files is not \
      recognised, say what the numbers mean with --relative-kind. A copy is written beside the data set and replaces it when it is complete.
      """)

  @Argument(help: "Data set to change.", completion: .file(extensions: ["h5", "hdf5"])) var dataset: String
  @OptionGroup var maps: MapFlags
  @Option(
    help:
      "stretch accepts maps with another aspect ratio than the frames, from networks that squash the whole picture to their own size."
  ) var predictionResize: PredictionResize?
  @OptionGroup var links: LinkFlags
  @Flag(help: "Replace maps that exist already.") var overwrite = false
  @OptionGroup var console: Console

  package func validate() throws {
    guard !maps.requests(nil).isEmpty else {
      throw ValidationError("maps are needed: --relative DIR or --prediction NAME=DIR")
    }
  }

  package func run() throws {
    var job = AttachJob(dataset, maps.requests(predictionResize))
    (job.overwrite, job.deviations) = (overwrite, maps.certainties)
    for index in job.requests.indices { job.requests[index].external = links.external }
    let all = try job.run()
    let rows = all.map { added in
      [
        added.scene.visible, added.maps.request.name.map { "prediction \($0)" } ?? "relative depth",
        "\(added.maps.size)", added.maps.meaning.rawValue, added.maps.source.visible, added.maps.matching,
        "\(added.frameCount - added.maps.missing.count) of \(added.frameCount)",
      ]
    }
    let columns = ["scene", "what", "size", "kind", "known by", "matched", "frames"]
    func stated(_ what: String, _ certainty: StoredPrediction.Certainty) -> String {
      let names = all.filter { $0.deviation?.unit.certainty == certainty }.compactMap(\.maps.request.name)
      let listed = names.firstAppearances.map(\.visible).joined(separator: ", ")
      return listed.isEmpty ? "" : "\nwith the \(what) of \(listed)"
    }
    let notes =
      stated("standard deviations", .deviation) + stated("confidence", .confidence)
      + all.compactMap(\.maps.resizing).map { "\n\($0)" }.joined()
    try console.show(
      DisplayTable(columns: columns.map { .text($0) }, rows: rows).plain + notes
        + "\n\(dataset.visible): written", beside: dataset)
  }
}
