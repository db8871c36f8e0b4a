package import DepthImport
import FathomRunFolders

/// One input of a job.
package enum DataInput {
  /// A data set, or a recording.
  case path(String)
  /// Maps of networks and a truth, in folders.
  case maps(MapSetRequest)

  /// What messages name it by, and where its name in results comes from: of maps, the place of the truth or the list.
  package var path: String {
    switch self {
    case .path(let path): path
    case .maps(let request): request.place
    }
  }
}
