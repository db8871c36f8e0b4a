import Foundation
import FathomTestSupport
import Testing

/// What a user types wrongly, run as a user runs it.
struct Mistake: Sendable, CustomTestStringConvertible {
  /// Words behind `fathom`; DATA is the sample, RUN a stored run of it, NOTES a text file, HERE a folder with nothing else.
  let words: [String]
  let code: Int32
  /// What the one line on standard error names as the fix.
  let fix: String

  init(_ words: String, _ code: Int32, _ fix: String) {
    self.words = words.split(separator: " ").map(String.init).map { $0.replacing("_", with: " ") }
    (self.code, self.fix) = (code, fix)
  }

  var testDescription: String { words.joined(separator: " ") }

  static let all: [Mistake] = commands + options + values + files + results + others

  static let commands = [
    Mistake("evalute DATA", 64, "did you mean 'evaluate'?"),
    Mistake("help evalute", 64, "did you mean 'evaluate'?"),
    Mistake("visualise DATA", 64, "there are evaluate"),
    Mistake("evaluate", 64, "<data>"),
    Mistake("report", 64, "<run>"),
    Mistake("merge", 64, "<shards>"),
    Mistake("plan DATA", 64, "--shards"),
    Mistake("import HERE", 64, "fathom import FOLDER OUT.h5"),
    Mistake("import HERE/out.h5 HERE", 64, "the recording comes first"),
    Mistake("attach DATA", 64, "--relative DIR or --prediction NAME=DIR"),
    Mistake("replay DATA --output HERE/x", 64, "detect=45ms"),
    Mistake("compare RUN", 64, "two runs are needed"),
  ]

  static let options = [
    Mistake("evaluate DATA --method auto", 64, "did you mean '--methods'?"),
    Mistake("evaluate DATA --pred net=HERE", 64, "did you mean '--prediction'?"),
    Mistake("evaluate --hlep", 64, "did you mean '--help'?"),
    Mistake("tune DATA --strict", 64, "'fathom diagnose', 'fathom import' have it"),
    Mistake("inspect DATA --overwrite", 64, "have it"),
    Mistake("evaluate DATA -m auto", 64, "'-m'"),
    Mistake("evaluate DATA --output", 64, "a value is missing"),
    Mistake("evaluate DATA --seed 1 --seed 2", 64, "give it once"),
    Mistake("evaluate DATA --resume --overwrite", 64, "exclude each other"),
    Mistake("evaluate DATA --quiet --verbose", 64, "exclude each other"),
    Mistake("evaluate DATA --shard 1/4", 64, "an --output is needed"),
    Mistake("compare RUN RUN --fail-if-unknown", 64, "goes with --fail-if-worse"),
    Mistake("render DATA --merge --output HERE/x.png", 64, "--all-frames"),
  ]

  static let values = [
    Mistake("evaluate DATA --methods hubber", 64, "did you mean 'huber'?"),
    Mistake("evaluate DATA --methods OLS", 64, "did you mean 'ols'?"),
    Mistake("evaluate DATA --methods auto_ols", 64, "write commas between methods: auto,ols"),
    Mistake("evaluate DATA --methods auto;ols", 64, "write commas between methods: auto,ols"),
    Mistake("evaluate DATA --methods mynet", 64, "stored:NAME for the data set's own predictions"),
    Mistake("evaluate DATA --methods stored:mynet", 64, "no scene has a prediction 'mynet'"),
    Mistake("evaluate DATA --baseline auto,ols", 64, "not one method"),
    Mistake("evaluate DATA --contrast auto:raw", 64, "such as auto:lidar-bilinear"),
    Mistake("evaluate DATA --protocol nyu", 64, "did you mean 'nyu-eigen'?"),
    Mistake("evaluate DATA --protocol KITTI", 64, "did you mean 'kitti-eigen'?"),
    Mistake("evaluate DATA --box-methods pca", 64, "did you mean 'pca-xz'?"),
    Mistake("evaluate DATA --aggregation mean", 64, "there are scene, images, pooled"),
    Mistake("evaluate DATA --truth lidar", 64, "of data sets it is stored or multiview"),
    Mistake("evaluate DATA --scenes room01", 64, "did you mean 'room-01'?"),
    Mistake("evaluate DATA --scenes hall", 64, "there are room-01, room-02"),
    Mistake("evaluate DATA --frames 0-1", 64, "frames 0 to 1 are 0:2"),
    Mistake("evaluate DATA --frames 3", 64, "no scene has a frame in 3"),
    Mistake("evaluate DATA --frames 1:1", 64, "frames 1 to 1 are 1:2"),
    Mistake("evaluate DATA --frames 5:9", 64, "no scene has a frame in 5:9"),
    Mistake("evaluate DATA --max-depth 3m", 64, "in metres: 3;"),
    Mistake("evaluate DATA --max-depth 5cm", 64, "in metres: 0.05;"),
    Mistake("evaluate DATA --max-depth 3,5", 64, "with a decimal point it is 3.5"),
    Mistake("evaluate DATA --kept-share 50%", 64, "fractions of 1: 0.5;"),
    Mistake("evaluate DATA --kept-share 50", 64, "50 % is 0.5"),
    Mistake("evaluate DATA --ransac-confidence 99", 64, "99 % is 0.99"),
    Mistake("evaluate DATA --plane-range 100,5000", 64, "5000 mm is 5"),
    Mistake("evaluate DATA --min-depth 5 --max-depth 1", 64, "not above min-depth 5"),
    Mistake("evaluate DATA --min-confidence 3", 64, "from 0 to 2"),
    Mistake("evaluate DATA --min-confidence high", 64, "a whole number from 0 to 255"),
    Mistake("evaluate DATA --seed -1", 64, "a whole number of at least 0"),
    Mistake("evaluate DATA --jobs 0", 64, "from 1 to 1024"),
    Mistake("evaluate DATA --jobs 1000000000000", 64, "from 1 to 1024"),
    Mistake("evaluate DATA --max-memory 4", 64, "with its unit it is 4M or 4G"),
    Mistake("evaluate DATA --shard 0/4 --output HERE/s", 64, "as in 1/4"),
    Mistake("evaluate DATA --shard 4 --output HERE/s", 64, "as in 1/4"),
    Mistake("tune DATA --folds 1", 64, "at least 2"),
    Mistake("tune DATA --max-depth 2:10 --output HERE/t", 64, "write first:last:step"),
    Mistake("calibrate DATA --max-truth 0.05 --output HERE/c", 64, "not above min-truth"),
    Mistake("synthesize HERE/x.h5 --preset dmeo", 64, "did you mean 'demo'?"),
    Mistake("synthesize HERE/x.h5 --level-shares 87,10,3", 64, "three shares that add up to 1"),
    Mistake("plan DATA --shards 2 --format slrum", 64, "did you mean 'slurm'?"),
    Mistake("bench --only rnsac", 64, "did you mean 'ransac'?"),
    Mistake("bench --repetitions 0", 64, "at least 3"),
    Mistake("attach DATA --prediction maps", 64, "NAME=DIR"),
    Mistake("attach DATA --relative HERE --relative-rotate 45", 64, "90, 180 or 270 degrees"),
  ]

  static let files = [
    Mistake("evaluate HERE/nosuch.h5", 66, "check the path"),
    Mistake("evaluate NOTES", 65, "a recording is a folder"),
    Mistake("evaluate RUN", 65, "name the data set, or show it with 'fathom report'"),
    Mistake("inspect RUN", 65, "name the data set"),
    Mistake("evaluate DATA DATA", 64, "twice"),
    Mistake("evaluate DATA --config HERE/nosuch.yaml", 66, "check the path"),
    Mistake("evaluate DATA --config NOTES", 65, "fix the YAML"),
    Mistake("evaluate DATA --calibration RUN", 66, "it is a folder"),
    Mistake("evaluate DATA --output RUN", 73, "--overwrite"),
    Mistake("evaluate DATA --output /proc/x", 73, "choose another --output"),
    Mistake("synthesize DATA", 73, "--overwrite"),
    Mistake("import HERE/nosuch HERE/x.h5", 66, "check the path"),
    Mistake("import RUN HERE/x.h5 --format strai", 64, "did you mean 'stray'?"),
    Mistake("import RUN HERE/x.h5 --format folder --depth-scale 1000", 64, "0.001 for millimetres"),
    Mistake("attach DATA --relative HERE/nosuch", 66, "check the path"),
    Mistake("merge RUN", 65, "evaluate --shard, fathom tune --shard"),
    Mistake("export DATA", 65, "a folder that fathom evaluate wrote"),
  ]

  static let results = [
    Mistake("compare RUN HERE/nosuch", 66, "check the path"),
    Mistake("compare DATA RUN", 65, "a folder that fathom evaluate wrote"),
    Mistake("compare RUN RUN --metric mae", 64, "did you mean 'mae_m'?"),
    Mistake("compare RUN RUN --methods hubber", 64, "it has"),
    Mistake("compare RUN RUN --fail-if-worse mae", 64, "did you mean 'mae_m'?"),
    Mistake("compare RUN RUN --fail-if-worse delta1:95", 64, "did you mean 'delta_1'?"),
    Mistake("compare RUN RUN --fail-if-worse silog:5mm", 64, "in the metric's unit, or a percentage"),
    Mistake("report HERE/nosuch", 66, "check the path"),
    Mistake("report DATA", 65, "a folder that fathom evaluate"),
    Mistake("report RUN --format pdf", 64, "there are html, markdown, latex, json"),
    Mistake("report RUN --output HERE/x.pdf", 64, "there are html, md, tex, json"),
    Mistake("export RUN --python nosuch --output HERE/e", 66, "--no-execute"),
  ]

  static let others = [
    Mistake("render DATA --scene 1 --output HERE/r.png", 64, "there are room-01, room-02"),
    Mistake("render DATA --frame 40 --output HERE/r.png", 64, "there are 0, 1"),
    Mistake("render DATA --layer trubo --output HERE/r.png", 64, "turbo"),
    Mistake("render DATA --opacity 60 --output HERE/r.png", 64, "60 % is 0.6"),
    Mistake("render DATA --near 5 --far 1 --output HERE/r.png", 64, "not nearer than --far"),
    Mistake("render DATA --size 960 --output HERE/r.png", 64, "as in 1920x1440"),
    Mistake("render DATA --output HERE/r.gif", 64, "there are png"),
    Mistake("render DATA --depth-range 0.5-5 --output HERE/r.png", 64, "as in 0.5:5"),
    Mistake("render DATA --fog-color red --output HERE/r.png", 64, "as in 808080"),
    Mistake("render DATA --source net --output HERE/r.png", 64, "there are lidar, truth"),
  ]
}

@Suite("Mistakes of users: one line, the right exit code, the fix named, nothing written")
struct MistakeTests {
  /// A stored run of the sample, a text file, and an empty folder.
  struct Place {
    let folder: TemporaryFolder
    let words: [String: String]

    init() async throws {
      folder = try TemporaryFolder()
      let (run, notes, here) = (folder.path("run"), folder.path("notes.txt"), folder.path("here"))
      try "A note: not data\n- and no settings\n".write(toFile: notes, atomically: true, encoding: .utf8)
      try FileManager.default.createDirectory(atPath: here, withIntermediateDirectories: true)
      let data = folder.path("sample.h5")
      try FileManager.default.copyItem(atPath: sample, toPath: data)
      #expect(
        await fathomTests.run(
          "evaluate", data, "--methods", "auto,ols", "--no-figures", "--no-gallery", "--no-diagnosis",
          "--no-objects", "--output", run, "--quiet") == nil)
      words = ["DATA": data, "RUN": run, "NOTES": notes, "HERE": here]
    }

    func arguments(_ mistake: [String]) -> [String] {
      mistake.map { word in
        words.reduce(word) { text, place in
          text == place.key ? place.value : text.replacing(place.key + "/", with: place.value + "/")
        }
      }
    }

    /// Everything that lies there.
    var listing: [String] {
      (FileManager.default.enumerator(atPath: folder.path("."))?.allObjects as? [String] ?? []).sorted()
    }
  }

  @Test("each is answered with its fix", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
  func answered() async throws {
    let place = try await Place()
    #expect(Mistake.all.count > 100)
    try expect(Mistake.all, in: place)
  }

  @Test("so are mistakes in data", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
  func data() async throws {
    let place = try await Place()
    try BrokenInputs.write(to: place.folder.path("here"))
    try expect(BrokenInputs.mistakes, in: place)
  }

  private func expect(_ mistakes: [Mistake], in place: Place) throws {
    for mistake in mistakes {
      let before = place.listing
      let answer = try BuiltCommand(
        place.arguments(mistake.words), in: FileManager.default.temporaryDirectory, seconds: 60)
      #expect(answer.code == mistake.code, "\(mistake.testDescription): \(answer.errors)")
      #expect(
        answer.errorLines.count == 1 && answer.errors.hasPrefix("fathom: "),
        "\(mistake.testDescription): \(answer.errors)")
      #expect(answer.errors.contains(mistake.fix), "\(mistake.testDescription): \(answer.errors)")
      #expect(answer.output.isEmpty, "\(mistake.testDescription)")
      #expect(answer.errors.count < 1200, "\(mistake.testDescription)")
      #expect(place.listing == before, "\(mistake.testDescription)")
    }
  }

  /// Allowed, but probably another unit was meant: a warning, and the work is done.
  static let questions: [(words: String, warning: String)] = [
    ("evaluate DATA --max-depth 3000 --methods ols", "3000 mm is 3, 3000 cm is 30"),
    ("evaluate DATA --max-truth 4000 --methods ols", "4000 cm is 40"),
    ("evaluate DATA --clamp-min 10 --methods ols", "10 mm is 0.01"),
    ("evaluate DATA --box-size-floor 20 --methods ols", "20 mm is 0.02"),
    ("evaluate DATA --smoothing-age 500 --methods smoothed", "500 ms is 0.5"),
    ("evaluate DATA --plane-tilt 0.26 --methods ols", "0.26 radians is 14.9"),
    ("render DATA --layer turbo --far 5000", "5000 mm is 5"),
    ("render DATA --layer error --error-limit 100", "100 mm is 0.1"),
    ("compare RUN RUN --fail-if-worse mae_m_measured:1", "1 mm is 0.001"),
    ("compare RUN RUN --fail-if-worse delta_1:95", "one percentage point is 0.01"),
    ("compare RUN RUN --fail-if-worse mae_m_measured:200%", "hardly anything can be worse"),
  ]

  @Test("implausible values are questioned with their unit", .enabled(if: BuiltCommand.path != nil))
  func questioned() async throws {
    let place = try await Place()
    let evaluation = ["--no-figures", "--no-gallery", "--no-diagnosis", "--scenes", "room-01"]
    for (index, question) in Self.questions.enumerated() {
      var words = place.arguments(question.words.split(separator: " ").map(String.init))
      if words[0] != "compare" { words += ["--output", place.folder.path("out-\(index).png")] }
      if words[0] == "evaluate" { words += evaluation }
      let answer = try BuiltCommand(words, in: FileManager.default.temporaryDirectory, seconds: 60)
      #expect(answer.code == 0, "\(question.words): \(answer.errors)")
      #expect(
        answer.errorLines.contains {
          ($0.hasPrefix("fathom: warning: --") || $0.hasPrefix("fathom: warning: gate: "))
            && $0.contains(question.warning)
        },
        "\(question.words): \(answer.errors)")
    }
  }

  @Test("plausible values are not questioned", .enabled(if: BuiltCommand.path != nil))
  func unquestioned() async throws {
    let place = try await Place()
    for words in [
      "evaluate DATA --max-depth 80 --max-truth 100 --plane-tilt 10 --smoothing-age 5 --methods ols --no-figures --no-gallery --no-diagnosis --output HERE/run",
      "evaluate DATA --protocol ddad --methods ols --no-figures --no-gallery --no-diagnosis --output HERE/ddad",
      "compare RUN RUN --fail-if-worse mae_m_measured:0.005 --fail-if-worse rmse_m:5% --fail-if-worse delta_1:0.01",
    ] {
      let answer = try BuiltCommand(
        place.arguments(words.split(separator: " ").map(String.init)),
        in: FileManager.default.temporaryDirectory, seconds: 60)
      #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.errors)")
    }
  }
}
