import DepthCore
import DepthMapSets
package import DepthCalibration
package import DepthDataset
package import FathomStorage

/// What each origin of truth means to a job: a new origin is a case here and in `CalibrationFault`.
extension TruthOrigin {
  /// A data set or recording whose frames have this truth.
  package typealias Opened = (source: any FrameSource, refusals: [(scene: String, failure: MultiviewFailure)])

  /// Opens data with this truth, as ``DataSource`` and ``MapSetSource`` do.
  /// - Returns: With the scenes that lack what it takes: they are without truth.
  /// - Throws: `FathomError` as these do.
  package func open(
    _ input: DataInput, external: ExternalFolders, mapping: String?
  ) throws(FathomError) -> Opened {
    let stored: any FrameSource =
      switch input {
      case .path(let path): try DataSource.open(path, external: external, mapping: mapping)
      case .maps(let request): try MapSetSource(request)
      }
    switch self {
    case .stored: return (stored, [])
    case .multiview:
      let multiview = MultiviewSource(stored)
      return (multiview, multiview.refusals)
    }
  }

  /// The reference that replaces the stored truth of a scene; nil where that counts.
  /// - Throws: `MultiviewFailure` where the scene lacks what it takes.
  func reference(of scene: SceneHeader) throws(MultiviewFailure) -> MultiviewReference? {
    switch self {
    case .stored: nil
    case .multiview: try MultiviewReference(scene)
    }
  }

  /// What manifests say of the reference; nil where the stored truth counts.
  var manifestOptions: MultiviewReference.Options? {
    switch self {
    case .stored: nil
    case .multiview: MultiviewReference.Options()
    }
  }

  /// The origin that a manifest tells of.
  package init(manifestOptions: MultiviewReference.Options?) {
    self = manifestOptions == nil ? .stored : .multiview
  }
}
