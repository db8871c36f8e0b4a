package import DepthImport
import FathomRunFolders

/// One input of a job.
package enum DataInput {
  case path(String)  // A data set, or a recording.
  case maps(MapSetRequest)  // Maps of networks and a truth, in folders.

  /// What messages name it by, and where its name in results comes from: of maps, the place of the truth or the list.
  package var path: String {
    switch self {
    case .path(let path): path
    case .maps(let request): request.place
    }
  }
}
