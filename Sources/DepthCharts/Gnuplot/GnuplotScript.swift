/// Commands for a run of gnuplot: every panel from a clean state into a file of its own.
struct GnuplotScript {
  let text: String

  /// - Precondition: one output per panel.
  init(_ panels: [Panel], outputs: [String]) {
    precondition(panels.count == outputs.count, "one output per panel")
    var lines = ["set encoding utf8"]
    for (panel, output) in zip(panels, outputs) {
      lines += [
        "reset",
        "set terminal svg size \(Int(panel.width)),\(Int(panel.height)) noenhanced font "
          + "'sans-serif,\(ChartStyle.tickSize)' background '#ffffff'",
        "set output '\(output)'",
        "unset key",
      ]
      lines += panel.commands
    }
    text = (lines + ["unset output"]).joined(separator: "\n") + "\n"
  }
}
