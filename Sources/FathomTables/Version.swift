import CFathomBuild

/// The version of the tool, as in CHANGELOG.md; part of every run's provenance.
public enum Version {
  public static let current = "0.3.0"
  /// The commit that it was built from, forty digits; ", modified" follows where the sources were not those of the commit. "unknown"
  /// outside of a checkout of the repository.
  public static let build = String(cString: fathom_build())
}
