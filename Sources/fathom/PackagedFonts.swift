import Foundation

/// The fonts of a package: a wheel, an archive or a Debian package has them beside the command, so that pictures look alike on every machine.
enum PackagedFonts {
  /// Makes the process draw with the fonts beside the command where there are some, unless its caller names others. Before the first
  /// letter is drawn, and before threads start.
  /// - Parameter command: The file of the command; nil for this process's own.
  static func use(
    _ command: String? = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
  ) {
    guard let command, let configuration = configuration(beside: command) else { return }
    setenv("FONTCONFIG_FILE", configuration, 0)
  }

  /// The configuration of fontconfig in the package of a command; nil where it is not from a package.
  static func configuration(beside command: String) -> String? {
    let root = URL(fileURLWithPath: command).deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent("share/fathom/fonts/fonts.conf").path
    return FileManager.default.fileExists(atPath: file) ? file : nil
  }
}
