public import FathomStorage
public import DepthCalibration
public import DepthDataset
public import DepthEvaluation

/// What a job says while it runs.
public enum JobEvent: Sendable {
  /// Work that takes time begins; 0 steps where they cannot be counted.
  case began(JobStage, steps: Int)
  /// One of those steps is done.
  case advanced
  /// A scene is done.
  case finished(scene: String, frames: Int)
  /// Something that a person may want to know; the job goes on.
  case noticed(JobNotice)
}

/// What takes time in a job.
public enum JobStage: Sendable {
  /// ``scoring`` is ``fusing`` where no scene has a LiDAR.
  case fusing, scoring, merging, summarising, checking, searching, confirming, measuring, fusingHeldOut,
    diagnosing, drawing, replaying
  case writingGeometry, writing, importing
}

/// What a job came across.
public enum JobNotice: Sendable {
  /// A data set holds something that deserves a word, and can be used.
  case schema(path: String, SchemaIssue)
  /// A data set is skipped, because it cannot be read.
  case unreadable(FathomError)
  /// Parts of a recording are skipped.
  case dropped(DroppedParts)
  /// Two data sets hold the same bytes.
  case sameData
  /// So many frames have rows without a result; the first of these rows.
  case framesWithoutResult(Int, first: FrameRecord)
  case leftOutOfSearch(scene: String, SearchLack)
  /// Scenes without a confidence map, where confidence is searched.
  case withoutConfidence(scenes: [String])
  /// A scene has no multi-view reference.
  case withoutReference(scene: String, MultiviewFailure)
  /// Scenes without a LiDAR pixel that has truth.
  case withoutTruth(scenes: [String])
  /// A scene has no poses: nothing is placed in it.
  case withoutPoses(scene: String)
  /// A scene cannot be replayed, and why.
  case notReplayed(scene: String, reason: String)
  /// An object has no box or distance in a picture, and why.
  case omitted(String)
  /// A merged run has no pictures, and why.
  case withoutGallery(FathomError)
  /// A part of an import is finished, and stays if the rest is interrupted.
  case partKept(folder: String)
  /// No level has a noise model, so there is no `calibration.yaml`.
  case noNoiseModel
}

/// What keeps a scene out of a search.
public enum SearchLack: String, Sendable {
  case truth, relative = "a relative map", lidar = "LiDAR", frames = "the frames asked for"
}

/// Takes events in, on the task that runs the job.
public typealias JobObserver = (JobEvent) -> Void
