import Foundation
import Testing

@testable import DepthCharts

@Suite("gnuplot as a program")
struct GnuplotTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "fathom-\(UUID().uuidString)")

  /// A shell script in gnuplot's place.
  private func replaced(by script: String, timeout: Double = 20) throws -> Gnuplot {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = folder.appendingPathComponent("gnuplot")
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    return Gnuplot(executable: program, timeout: timeout)
  }

  private func error(_ body: () throws -> Void) throws -> ChartError {
    defer { try? FileManager.default.removeItem(at: folder) }
    return try #require(throws: ChartError.self, performing: body)
  }

  private let figure = Figure.chart(
    Chart("c", title: "t", alt: "a", x: ChartAxis("x"), y: ChartAxis("y"), series: []))

  @Test("is there after make setup") func installed() throws { try ChartRenderer.requireGnuplot() }

  @Test("missing") func missing() throws {
    let error = try error { _ = try Gnuplot.onPath("/nowhere:/nowhere/else") }
    #expect(error.description.contains("no gnuplot on the PATH"))
    #expect(error.description.contains("apt install gnuplot-nox"))
    #expect(!error.description.contains("\n"))
  }

  @Test("too old, or something else", arguments: ["gnuplot 5.2 patchlevel 8", "hello", "gnuplot"])
  func version(_ answer: String) throws {
    let gnuplot = try replaced(by: "echo '\(answer)'")
    let error = try error { try gnuplot.requireVersion() }
    #expect(error.description.contains(answer.contains("5.2") ? "version 5.2" : "'\(answer)'"))
  }

  @Test("later versions will do", arguments: ["gnuplot 5.4 patchlevel 4", "gnuplot 6.0 patchlevel 0"])
  func laterVersion(_ answer: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try replaced(by: "echo '\(answer)'").requireVersion()
  }

  @Test("its own words when it fails") func failure() throws {
    let gnuplot = try replaced(by: "echo 'line 12: something is wrong' >&2; exit 3")
    let error = try error { _ = try ChartRenderer.svg([figure], with: gnuplot) }
    #expect(error.reason.contains("status 3") && error.reason.contains("line 12: something is wrong"))
    #expect(!error.description.contains("\n"))
  }

  @Test("wrong commands are errors of the real one") func wrongCommand() throws {
    var panel = Panel(width: 100, height: 100)
    panel.add("plot no_such_function(x)")
    let gnuplot = try Gnuplot.onPath()
    let error = try error { _ = try gnuplot.documents([panel]) }
    #expect(error.reason.contains("no_such_function"))
  }

  @Test("no output is an error") func noOutput() throws {
    let gnuplot = try replaced(by: "exit 0")
    let error = try error { _ = try ChartRenderer.svg([figure], with: gnuplot) }
    #expect(error.operation.contains("0.svg"))
  }

  @Test("one that does not end is ended") func stuck() throws {
    let gnuplot = try replaced(by: "exec sleep 600", timeout: 0.2)
    let error = try error { _ = try ChartRenderer.svg([figure], with: gnuplot) }
    #expect(error.reason.contains("did not end within"))
  }

  @Test("one that cannot start") func unstartable() throws {
    let gnuplot = try replaced(by: "")
    try Data("#!/no/such/interpreter\n".utf8).write(to: gnuplot.executable)
    let error = try error { _ = try ChartRenderer.svg([figure], with: gnuplot) }
    #expect(!error.description.isEmpty)
  }

  @Test("does not see the locale or the settings of a user") func environment() throws {
    let gnuplot = try replaced(by: "echo \"$LC_ALL $LANG $LC_NUMERIC $GNUTERM\" >&2; exit 1")
    setenv("GNUTERM", "dumb", 1)
    defer { unsetenv("GNUTERM") }
    let error = try error { _ = try ChartRenderer.svg([figure], with: gnuplot) }
    #expect(error.reason.hasSuffix("and said: C.UTF-8"))
  }

  @Test("leaves no files") func leftovers() throws {
    let gnuplot = try replaced(by: "pwd >&2; exit 1")
    let error = try error { _ = try ChartRenderer.svg([figure], with: gnuplot) }
    let path = try #require(error.reason.split(separator: " ").last)
    #expect(path.contains("/fathom-charts-") && !FileManager.default.fileExists(atPath: String(path)))
  }

  @Test(
    "an answer that is no complete document", arguments: ["", "<svg>", "<g id=\\\"gnuplot_canvas\\\">\n<g>"])
  func incomplete(_ answer: String) throws {
    let gnuplot = try replaced(by: "printf \"\(answer)\" > 0.svg")
    let error = try error { _ = try ChartRenderer.svg([figure], with: gnuplot) }
    #expect(error.reason.contains("no complete SVG"))
  }
}
