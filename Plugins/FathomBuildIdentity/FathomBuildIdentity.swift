import Foundation
import PackagePlugin

/// Tells the target that it belongs to which commit is built. Only its one file is compiled again after a commit, and the command linked.
@main
struct FathomBuildIdentity: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL
    let script = root.appending(path: "Packaging/build_identity.sh")
    let made = context.pluginWorkDirectoryURL.appending(path: "build_identity.swift")
    return [
      .buildCommand(
        displayName: "Commit of this build", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: [script.path, root.path, made.path],
        inputFiles: [script, root.appending(path: "Package.swift")] + Self.records(root) + Self.sources(root),
        outputFiles: [made])
    ]
  }

  /// What git writes when the commit changes: the name of the branch, and the log of what it was at.
  private static func records(_ root: URL) -> [URL] {
    var folder = root.appending(path: ".git")
    // In a second work tree it is a file that names the folder.
    if let text = try? String(contentsOf: folder, encoding: .utf8), text.hasPrefix("gitdir: ") {
      folder = URL(
        fileURLWithPath: text.dropFirst(8).trimmingCharacters(in: .whitespacesAndNewlines), relativeTo: root)
    }
    return ["HEAD", "logs/HEAD"].map { folder.appending(path: $0) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Whether the sources are those of the commit changes with any of them.
  private static func sources(_ root: URL) -> [URL] {
    let found = FileManager.default.enumerator(
      at: root.appending(path: "Sources"), includingPropertiesForKeys: [.isRegularFileKey])
    return (found?.compactMap { $0 as? URL } ?? [])
      .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
      .sorted { $0.path < $1.path }
  }
}
