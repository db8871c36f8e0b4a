import FathomCommandLine
import FathomPlainText
import FathomRuns
import FathomStorage
import Foundation

/// Prints a page as PDF with an installed Chromium or Chrome.
struct PagePrinter {
  private static let browsers = ["chromium", "chromium-browser", "google-chrome"]
  private let browser: String

  /// - Throws: `FathomError` where there is none.
  init() throws(FathomError) {
    guard let browser = Self.browsers.lazy.compactMap(ProcessResult.executable).first else {
      throw Self.error("it is not on the PATH, nor is \(Self.browsers.dropFirst().joined(separator: " or "))")
    }
    self.browser = browser
  }

  /// - Throws: `FathomError` where the browser fails.
  func print(_ page: String, to pdf: String) throws(FathomError) {
    let profile = try ScratchFolder()
    // It goes with its last owner.
    defer { withExtendedLifetime(profile) {} }
    // Chromium has no sandbox for root; the page is our own and loads nothing.
    let sandbox = getuid() == 0 ? ["--no-sandbox"] : []
    var process: Int32?
    defer { process.map(Interruption.forgets) }
    let result: ProcessResult
    do {
      result = try ProcessResult(
        running: browser,
        ["--headless", "--disable-gpu", "--no-pdf-header-footer", "--user-data-dir=\(profile.path)"] + sandbox
          + ["--print-to-pdf=\(pdf)", URL(fileURLWithPath: page).absoluteString]
      ) {
        Interruption.endsOnInterrupt($0)
        process = $0
      }
    } catch {
      throw Self.error(SystemFault(starting: error).words)
    }
    guard result.status == 0, FileManager.default.fileExists(atPath: pdf) else {
      throw Self.error("it ended with \(result.end) and said: \(result.lastWords(marked: "fathom:"))")
    }
  }

  private static func error(_ reason: String) -> FathomError {
    FathomError(
      .cannotCreate, attempted: "print as PDF with", place: browsers[0], reason: "\(reason)",
      advice: "install it, or leave out \(option: "pdf") and print report.html from a browser")
  }
}
