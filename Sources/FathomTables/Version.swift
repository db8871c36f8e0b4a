/// The version of the tool, as in CHANGELOG.md; part of every run's provenance.
public enum Version {
  public static let current = "0.2.0"
}
