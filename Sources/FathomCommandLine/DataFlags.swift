package import ArgumentParser
import Foundation
package import FathomRuns
package import FathomStorage

/// What holds for every command that reads data sets.
package struct DataFlags: ParsableArguments {
  package init() {}
  @OptionGroup package var links: LinkFlags
  @Option(
    help:
      "File that defines the meaning of the arrays of an HDF5 file, or of the files of a folder; inspect proposes one.",
    completion: .file(extensions: ["yaml", "yml"])) package var mapping: String?

  package var external: ExternalFolders { links.external }

  /// Which data a job looks at.
  package func selection(_ paths: [String], scenes: [String], frames: FrameRange? = nil) -> DataSelection {
    var data = DataSelection(paths)
    data.scenes = SceneChoice(scenes)
    data.frames = frames
    (data.external, data.mapping) = (external, mapping)
    return data
  }
}

/// Where data may lead, for commands that read what others may have made.
package struct LinkFlags: ParsableArguments {
  package init() {}
  @Flag(
    help:
      "Follow external links, external storage, virtual data sets and links in folders to files in the folder of the data or below. Results name and hash such files of a data set."
  ) package var allowExternal = false
  @Option(help: "Also follow them to files in this folder or below. Can be repeated.", completion: .directory)
  package var externalFolder: [String] = []
  @OptionGroup package var sandbox: SandboxFlags
  package var external: ExternalFolders { ExternalFolders(includesOwn: allowExternal, named: externalFolder) }

  package func validate() throws {
    var isFolder: ObjCBool = false
    for folder in externalFolder
    where !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) || !isFolder.boolValue {
      throw ValidationError("--external-folder: there is no folder '\(folder)'")
    }
  }
}
