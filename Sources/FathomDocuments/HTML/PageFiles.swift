import FathomTables
import Foundation
import FathomStorage

/// The page's files, built into the program: style and script, and what a browser may do with them.
package enum PageFiles {
  static let style = text(PackageResources.page_css)
  static let script = text(PackageResources.page_js) + text(PackageResources.cloud_js)

  /// What a browser may do with the page: show its own pictures and styles, run its own script, and nothing else.
  static var policy: Markup { policy(images: "data:", scripts: "", script) }

  /// A script is known by its SHA-256, so that one smuggled in with a picture or a name would not run either (Content
  /// Security Policy Level 3, 2.3.1).
  private static func policy(images: Markup, scripts: Markup, _ script: String) -> Markup {
    """
    default-src &#39;none&#39;; img-src \(images); style-src &#39;unsafe-inline&#39;; script-src \(scripts)\
    &#39;sha256-\(Data(Digest.sha256(Array(script.utf8))).base64EncodedString())&#39;; base-uri &#39;none&#39;; \
    form-action &#39;none&#39;
    """
  }

  /// `index.html` of a folder of frames: markup that is the same for all, but for its title.
  ///
  /// Its rows come from a script beside it, so that it takes scripts and pictures of its own origin; from a disk that is the disk, and
  /// the page asks for nothing but its own folder.
  package static func frames(title: String) -> String {
    let script = text(PackageResources.frames_js)
    let generator = "fathom \(Version.current)"
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      \(head(title, generator, policy(images: "&#39;self&#39;", scripts: "&#39;self&#39; ", script), style: text(PackageResources.frames_css)))
      <body>
      <main>
      <h1>\(title)</h1>
      <p id="about"></p>
      <noscript><p>This page lists its frames with a script, which is switched off here. The pictures are in the folder <code>pictures</code>.</p></noscript>
      <form id="choice" aria-label="Which frames, in which order"></form>
      <p id="count" role="status"></p>
      <div id="scales"></div>
      <div id="frames"></div>
      <p id="more"></p>
      </main>
      <dialog id="closer" aria-labelledby="closer-title"></dialog>
      <footer>Written by \(generator). This page loads nothing but what is in its folder.</footer>
      <script src="rows.js"></script>
      <script>\(Markup(trusted: script))</script>
      </body>
      </html>

      """
    return page.html
  }

  /// - Parameter icon: A line for the icon; empty for none.
  static func head(
    _ title: String, _ generator: String, _ policy: Markup, icon: Markup = "", style: String
  ) -> Markup {
    """
    <head>
    <meta charset="utf-8"/>
    <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/>
    <meta name="color-scheme" content="light dark"/>
    <meta name="generator" content="\(generator)"/>
    \(icon)<title>\(title)</title>
    <style>\(Markup(trusted: style))</style>
    </head>
    """
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
