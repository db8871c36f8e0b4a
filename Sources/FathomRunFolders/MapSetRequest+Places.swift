package import DepthImport
import FathomStorage

extension MapSetRequest {
  package var place: String { truth?.path ?? list ?? "" }  // Where the truth lies, or the list that names it.

  /// The same request with its files and folders named otherwise.
  /// - Parameter change: Another name of the same place.
  package func places(_ change: (String) -> String) -> MapSetRequest {
    func changed(_ folders: ExternalFolders) -> ExternalFolders {
      ExternalFolders(includesOwn: folders.includesOwn, named: folders.named.map(change))
    }
    func changed(_ maps: MapRequest) -> MapRequest {
      var maps = maps
      (maps.path, maps.external) = (change(maps.path), changed(maps.external))
      return maps
    }
    var request = self
    (request.predictions, request.truth) = (predictions.map(changed), truth.map(changed))
    (request.images, request.list) = (images.map(change), list.map(change))
    (request.truthMask, request.ignoreMask) = (truthMask.map(change), ignoreMask.map(change))
    request.truthDeviation = truthDeviation.map(change)
    for index in (deviations ?? []).indices {
      request.deviations?[index].path = change(deviations?[index].path ?? "")
    }
    if let mask = idMask { request.idMask?.path = change(mask.path) }
    if case .list(let path) = scenes { request.scenes = .list(change(path)) }
    request.external = changed(external)
    return request
  }

  /// With names of files and folders alone: what it says wherever it lies.
  package var named: MapSetRequest { places { $0.split(separator: "/").last.map(String.init) ?? $0 } }

  /// With paths from a folder.
  /// - Parameter folder: nil for the folder of the process.
  package func relative(to folder: String? = nil) -> MapSetRequest {
    places { RelativePath.to($0, from: folder) }
  }
}
