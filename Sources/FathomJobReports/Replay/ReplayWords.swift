import DepthReport
import FathomReplay
import FathomPlainText

/// The sentences of a replay's verdict.
struct ReplayWords {
  let verdict: ReplayVerdict, sources: [ReplayRun.Source], leftOut: [ReplayRun.LeftOut]

  /// First what it costs, then why.
  var sentences: [String] {
    [counts, times, staleness, placement, thresholds, buffers, gaps, omissions].compactMap { $0 }
  }

  private var summary: ReplaySummary { verdict.summary }

  private static func milliseconds(_ value: Double?) -> String {
    Quantity(value, .decimals(1, unit: "ms")).text
  }
  private static func length(_ centimetres: Double?) -> String {
    Quantity(centimetres, .supported(times: 10, unit: "mm")).text
  }

  private var counts: String {
    let share = Quantity(
      summary.offered > 0 ? Double(summary.analysed) / Double(summary.offered) : nil, .percent()
    ).text
    var text =
      "**\(summary.analysed) of \(counted(summary.offered, "frame")) are analysed (\(share))**, "
      + "\(summary.dropped) dropped, \(summary.starved) without a buffer"
    if summary.untracked > 0 { text += ", \(summary.untracked) without a known pose" }
    text += "."
    if let steady = verdict.steadyDrops {
      text +=
        steady == summary.dropped
        ? " The closed form gives the same \(counted(steady, "drop"))."
        : " The closed form gives \(counted(steady, "drop"))."
    }
    if summary.longestStarvation > 1 {
      text += " The camera is without a buffer for up to \(summary.longestStarvation) frames in a row."
    }
    return text
  }

  private var times: String? {
    guard let latency = summary.latency else { return nil }
    let age = summary.age.map {
      " The result on screen is \(Self.milliseconds($0.mean)) old on average and up to \(Self.milliseconds($0.largest))."
    }
    return
      "A result is on screen \(Self.milliseconds(latency.median)) after its frame was taken (median; 95 %: "
      + "\(Self.milliseconds(latency.p95)), 99 %: \(Self.milliseconds(latency.p99)))." + (age ?? "")
  }

  private var staleness: String? {
    guard let millimetres = summary.millimetres, let degrees = summary.degrees else {
      return verdict.hasPoses
        ? nil : "The data have no poses: what the delay costs in millimetres cannot be said."
    }
    return
      "By then the camera has moved \(Quantity(millimetres.median, .supported(unit: "mm")).text) and turned "
      + "\(Quantity(degrees.median, .decimals(2)).text)° (median; 95 %: "
      + "\(Quantity(millimetres.p95, .supported(unit: "mm")).text) and \(Quantity(degrees.p95, .decimals(2)).text)°)."
  }

  private var placement: String? {
    guard let shift = summary.shift else { return nil }
    guard let frame = summary.frameError, let display = summary.displayError, let worse = summary.worsening
    else {
      return
        "**A hit test with the display's pose puts an effect \(Self.length(shift.median)) from where the frame's pose puts it** "
        + "(median of \(counted(summary.placements, "placement")); 95 %: \(Self.length(shift.p95))). There is no true depth to compare "
        + "either with."
    }
    let anchor = summary.anchorError.map {
      " An anchor that the object's first result made keeps its error, \(Self.length($0.median))."
    }
    return
      "**Latency makes placement \(Self.length(worse.median)) worse** (median of \(counted(summary.placements, "placement")); "
      + "95 %: \(Self.length(worse.p95))): a hit test with the display's pose is \(Self.length(display.median)) off, with the "
      + "frame's pose \(Self.length(frame.median)), which is the error of depth alone. The effect itself moves by "
      + "\(Self.length(shift.median))." + (anchor ?? "")
  }

  private var thresholds: String? {
    guard let longest = verdict.longestStage else { return nil }
    let parts = verdict.thresholds.map { threshold in
      let limit = "\(Quantity(threshold.centimetres, .significant(2, times: 10, unit: "mm")).text)"
      return threshold.milliseconds.map {
        "\(limit) worse from \(Quantity($0, .decimals(0, unit: "ms")).text)"
      } ?? "not \(limit) worse up to \(Quantity(longest, .decimals(0, unit: "ms")).text)"
    }
    return "By the time of all stages, placement is \(parts.joined(separator: ", "))."
  }

  private var buffers: String {
    let count = counted(verdict.buffersNeeded, "buffer")
    guard verdict.needsEverMore else { return "To drop nothing, a queue needs \(count)." }
    return "No number of buffers suffices to drop nothing: the analysis takes "
      + "\(Quantity(verdict.load, .significant(3)).text) times the time between two frames. A queue over these data would hold "
      + "\(count)."
  }

  private var omissions: String? {
    guard !leftOut.isEmpty else { return nil }
    let reasons = Dictionary(grouping: leftOut, by: \.reason).sorted { $0.key < $1.key }
    return "Skipped: "
      + reasons.map { "\(PageLimits.listed($0.value.map(\.name))) (\($0.key))" }.joined(separator: "; ") + "."
  }

  /// Seconds between two recorded frames from which the way between them is a guess.
  private static let longGap = 0.25

  private var gaps: String? {
    let wide = sources.filter { $0.hasPoses && $0.longestGap > Self.longGap }
    guard let longest = wide.map(\.longestGap).max() else { return nil }
    return
      "Take care: up to \(Quantity(longest, .significant(2, unit: "s")).text) lie between two recorded frames "
      + "(\(PageLimits.listed(wide.map(\.name)))). There the camera's way is a straight guess, and its motion is too small."
  }
}
