import ArgumentParser
import Runs

/// What holds for every command that reads data sets.
struct DataFlags: ParsableArguments {
  @Flag(
    help:
      "Follow external links, external storage, virtual data sets and links in folders to other files; results name and hash those of a data set."
  )
  var allowExternal = false
  @Option(
    help:
      "File that says what the arrays of an HDF5 file, or the files of a folder, mean; inspect proposes one.",
    completion: .file(extensions: ["yaml", "yml"]))
  var mapping: String?

  /// Which data a job looks at.
  func selection(_ paths: [String], scenes: [String], frames: FrameRange? = nil) -> DataSelection {
    var data = DataSelection(paths)
    data.scenes = SceneChoice(scenes)
    data.frames = frames
    (data.allowsExternal, data.mapping) = (allowExternal, mapping)
    return data
  }
}

/// What commands ask for that read folders which others may have made.
struct LinkFlags: ParsableArguments {
  @Flag(help: "Follow links in a folder that lead out of it.") var allowExternal = false
}
