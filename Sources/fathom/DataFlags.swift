import ArgumentParser
import Foundation
import FathomRuns
import FathomStorage

/// What holds for every command that reads data sets.
struct DataFlags: ParsableArguments {
  @OptionGroup var links: LinkFlags
  @Option(
    help:
      "File that defines the meaning of the arrays of an HDF5 file, or of the files of a folder; inspect proposes one.",
    completion: .file(extensions: ["yaml", "yml"])) var mapping: String?

  var external: ExternalFolders { links.external }

  /// Which data a job looks at.
  func selection(_ paths: [String], scenes: [String], frames: FrameRange? = nil) -> DataSelection {
    var data = DataSelection(paths)
    data.scenes = SceneChoice(scenes)
    data.frames = frames
    (data.external, data.mapping) = (external, mapping)
    return data
  }
}

/// Where data may lead, for commands that read what others may have made.
struct LinkFlags: ParsableArguments {
  @Flag(
    help:
      "Follow external links, external storage, virtual data sets and links in folders to files in the folder of the data or below. Results name and hash such files of a data set."
  ) var allowExternal = false
  @Option(help: "Also follow them to files in this folder or below. Can be repeated.", completion: .directory)
  var externalFolder: [String] = []
  @OptionGroup var sandbox: SandboxFlags
  var external: ExternalFolders { ExternalFolders(includesOwn: allowExternal, named: externalFolder) }

  func validate() throws {
    var isFolder: ObjCBool = false
    for folder in externalFolder
    where !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) || !isFolder.boolValue {
      throw ValidationError("--external-folder: there is no folder '\(folder)'")
    }
  }
}
