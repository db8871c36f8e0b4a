import FathomTables
import Foundation
import Mustache
import FathomStorage

/// The page's files, built into the program: templates, style and script.
struct PageTemplates {
  private let library: MustacheLibrary

  init() throws {
    library = MustacheLibrary(
      templates: try [
        "page": Self.template(PackageResources.page_mustache),
        "section": Self.template(PackageResources.section_mustache),
        "overview": Self.template(PackageResources.overview_mustache),
        "answer": Self.template(PackageResources.answer_mustache),
        "list": Self.template(PackageResources.list_mustache),
        "table": Self.template(PackageResources.table_mustache),
        "figure": Self.template(PackageResources.figure_mustache),
        "gallery": Self.template(PackageResources.gallery_mustache),
      ])
  }

  /// Fills in a template; what is missing in the content stays empty.
  func markup(_ name: String, _ content: Any) -> Markup {
    Markup(trusted: library.render(content, withTemplate: name) ?? "")
  }

  static let style = Markup(trusted: text(PackageResources.page_css))
  static let script = Markup(
    trusted: text(PackageResources.page_js) + text(PackageResources.cloud_js))

  /// What a browser may do with the page: show its own pictures and styles, run its own script, and nothing else.
  ///
  /// A script is known by its SHA-256, so that one smuggled in with a picture or a name would not run either (Content
  /// Security Policy Level 3, 2.3.1).
  static var policy: Markup {
    let digest = Digest.sha256(Array(script.renderText.utf8))
    return Markup(
      trusted: """
        default-src &#39;none&#39;; img-src data:; style-src &#39;unsafe-inline&#39;; \
        script-src &#39;sha256-\(Data(digest).base64EncodedString())&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;
        """)
  }

  /// `index.html` of a folder of frames: markup that is the same for all, but for its title.
  ///
  /// Its rows come from a script beside it, so that it takes scripts and pictures of its own origin; from a disk that is the disk, and
  /// the page asks for nothing but its own folder.
  static func frames(title: String) throws -> String {
    let script = text(PackageResources.frames_js)
    let digest = Data(Digest.sha256(Array(script.utf8))).base64EncodedString()
    let policy = Markup(
      trusted: """
        default-src &#39;none&#39;; img-src &#39;self&#39;; style-src &#39;unsafe-inline&#39;; \
        script-src &#39;self&#39; &#39;sha256-\(digest)&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;
        """)
    let content = [
      "title": Markup(title), "policy": policy, "style": Markup(trusted: text(PackageResources.frames_css)),
      "script": Markup(trusted: script), "generator": Markup("fathom \(Version.current)"),
    ]
    let library = MustacheLibrary(templates: ["frames": try template(PackageResources.frames_mustache)])
    return library.render(content, withTemplate: "frames") ?? ""
  }

  private static func template(_ bytes: [UInt8]) throws -> MustacheTemplate {
    try MustacheTemplate(string: text(bytes))
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
