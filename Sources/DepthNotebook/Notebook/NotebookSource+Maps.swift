extension NotebookSource {
  /// The analysis of a run of networks' maps and a truth alone: all truth counts, and comparisons are over shared images.
  static let analysisOfMaps = NotebookSource(
    wordsOfMaps.reduce(String(decoding: PackageResources.analysis_py, as: UTF8.self)) { text, words in
      text.replacing(words.from, with: words.to)
    })

  /// What a text says in a run with a LiDAR, and what in one without; longer texts first.
  static let wordsOfMaps: [(from: String, to: String)] = [
    ("# # Accuracy of depth fusion", "# # Accuracy of depth maps"),
    (
      "# Truth that comes from the sensor itself (`truthIndependence` same-sensor, multiview or unknown) cannot show a gain over the raw LiDAR.",
      "# The scenes that were evaluated."
    ),
    (
      "# On the truth pixels that the LiDAR measures, where the raw LiDAR (dashed) is the one to beat, and over all truth pixels. Hollow: the oracle.",
      "# Over all truth pixels; dashed is the baseline. Hollow: the oracle."
    ),
    (
      "# The curves below show the baseline, the app's own fusion where it solved anything, and the three other methods of least MAE on the measured\n# pixels among",
      "# The curves below show the baseline, and the three other networks of least MAE among"
    ),
    (
      "# Paired differences over all frames, the raw LiDAR standing in where a method refused one (`fallback`). An",
      "# Paired differences over the images in which both have depth. An"
    ), ("`fathom render` draws such a frame.", "`fathom frames` makes a page of all images of the run."),
    ("[baseline, \"spec\", \"shipped\"]", "[baseline]"), ("\"MAE (measured) [mm] ↓\"", "\"MAE [mm] ↓\""),
    ("mae_m_measured", "mae_m"), ("abs_rel_measured", "abs_rel"), ("\"measured\"", "\"all\""),
    ("'measured'", "'all'"), ("\"fallback\"", "\"solved\""),
  ]
}
