import ArgumentParser
import Runs

/// What holds for every command that reads data sets.
struct DataFlags: ParsableArguments {
  @Flag(
    help:
      "Follow external links, external storage, virtual data sets and links in folders to other files; what is written then names and hashes those of a data set."
  )
  var allowExternal = false

  /// Which data a job looks at.
  func selection(_ paths: [String], scenes: [String], frames: FrameRange? = nil) -> DataSelection {
    var data = DataSelection(paths)
    data.scenes = SceneChoice(scenes)
    data.frames = frames
    data.allowsExternal = allowExternal
    return data
  }
}
