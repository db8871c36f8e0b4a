import CFathomBuild

/// The version of the tool, as in CHANGELOG.md; part of every run's provenance.
public enum Version {
  public static let current = "0.17.0"
  /// The commit that it was built from, forty digits; ", modified" follows where the sources were not those of the commit. "unknown"
  /// outside of a checkout of the repository.
  public static let build = String(cString: fathom_build())
  /// Both, as files and errors name this build: "fathom 0.17.0 (29a1b4815a2f, modified)".
  public static let name = name(current, build)

  /// The same of another one; nil for a build that is not known, as in files of older versions.
  package static func name(_ version: String, _ build: String?) -> String {
    let words = (build ?? "unknown").split(separator: ", ").map { $0.prefix(12) }.joined(separator: ", ")
    return "fathom \(version) (\(words))"
  }
}
