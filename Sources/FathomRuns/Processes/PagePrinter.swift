import FathomPlainText
import Foundation
package import FathomStorage

/// Prints a page as PDF with an installed Chromium or Chrome.
package struct PagePrinter {
  private static let browsers = ["chromium", "chromium-browser", "google-chrome"]
  private let browser: String

  /// - Throws: `FathomError` where there is none.
  package init() throws(FathomError) {
    guard let browser = Self.browsers.lazy.compactMap(ProcessResult.executable).first else {
      throw FathomError(
        .noInput, attempted: "print as PDF with", place: Self.browsers[0],
        reason: "none of \(Self.browsers.joined(separator: ", ")) is on the PATH",
        advice: "install one, or leave out \(option: "pdf") and print report.html from a browser")
    }
    self.browser = browser
  }

  /// - Parameter began: Is given the id of the process, so that an interruption can end it.
  /// - Throws: `FathomError` where the browser fails.
  package func print(_ page: String, to pdf: String, began: (Int32) -> Void) throws(FathomError) {
    let files = FileManager.default
    let profile = files.temporaryDirectory.appendingPathComponent("fathom-browser-\(UUID().uuidString)")
    defer { try? files.removeItem(at: profile) }
    // Chromium has no sandbox for root; the page is our own and loads nothing.
    let sandbox = getuid() == 0 ? ["--no-sandbox"] : []
    let result: ProcessResult
    do {
      result = try ProcessResult(
        running: browser,
        ["--headless", "--disable-gpu", "--no-pdf-header-footer", "--user-data-dir=\(profile.path)"] + sandbox
          + ["--print-to-pdf=\(pdf)", URL(fileURLWithPath: page).absoluteString], began: began)
    } catch let problem {
      throw error(SystemFault(starting: problem).words)
    }
    guard result.status == 0, files.fileExists(atPath: pdf) else {
      throw error("it ended with \(result.end) and said: \(result.lastWords(marked: "fathom:"))")
    }
  }

  private func error(_ reason: String) -> FathomError {
    FathomError(
      .cannotCreate, attempted: "print as PDF with", place: browser, reason: "\(reason)",
      advice: "leave out \(option: "pdf"), and print report.html from a browser")
  }
}
