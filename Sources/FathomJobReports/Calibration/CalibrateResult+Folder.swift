import FathomDocuments
import DepthCalibration
import FathomRunFolders
public import FathomRuns
public import FathomStorage

extension CalibrateResult {
  /// Tables, figures and findings, in the order of the report.
  public var sections: [CalibrationSection] {
    (manifest.multiview.map { [.multiview($0, verdict)] } ?? []) + CalibrationSection.standard(run, verdict)
      + [
        .correction(correction, verdict), .registration(registration, verdict), .drift(drift, verdict),
        .gain(gain, verdict),
      ]
  }

  /// Everything for people.
  /// - Parameter folder: Where it lies, as commands name it; nil for a page, which says the same wherever it lies.
  public func report(in folder: String? = nil, drawsFigures: Bool = true) -> CalibrationReport {
    CalibrationReport(self, in: folder, drawsFigures: drawsFigures)
  }

  /// Writes `calibration.yaml`, the tables and the report; the folder is not yet complete, see `calibration.json`.
  /// - Throws: `FathomError`.
  public func write(to folder: borrowing AtomicFolder, figures: Bool = true) throws {
    let report = report(drawsFigures: figures)
    try folder.write(tables: CalibrationTables.files(run) + report.sections.flatMap(\.files))
    try folder.write(try CanonicalJSON.text(verdict) + "\n", to: CalibrationVerdict.fileName)
    if let calibration {
      let document = CalibrationDocument(
        calibration: calibration, inputs: manifest.inputs, unmeasured: run.weights?.unmeasured ?? [])
      try folder.write(document.yaml, to: CalibrationDocument.fileName)
    }
    try folder.write(report.figures)
    try folder.write(report.document)
  }
}
