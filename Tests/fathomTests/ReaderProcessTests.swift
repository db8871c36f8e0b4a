import FathomRunFolders
import DepthCore
import DepthReport
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import DepthDataset

/// Data sets that another process reads: what it says is what this process would have read, and its end is one sentence.
@Suite("reader process", .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
struct ReaderProcessTests {
  let folder: TemporaryFolder
  /// A copy of the sample under a name that no other test has.
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("sample.h5")
    try FileManager.default.copyItem(atPath: sample, toPath: path)
  }

  private func remote(
    _ path: String, executable: String? = nil, validation: ValidationMode = .strict, threads: Int = 1
  ) throws -> RemoteSource {
    let program = try #require(executable ?? BuiltCommand.path)
    return try RemoteSource(
      path, executable: program, validation: validation, external: ExternalFolders(), threads: threads,
      longFile: 0)
  }

  /// The same to the bit.
  private func expect(_ a: DepthFrame, is b: DepthFrame) {
    #expect(a.index == b.index && a.timestampSeconds == b.timestampSeconds)
    #expect(a.intrinsics == b.intrinsics && a.worldFromCamera?.rowMajor == b.worldFromCamera?.rowMajor)
    #expect(a.confidence?.values == b.confidence?.values)
    #expect(a.image?.size == b.image?.size && a.image?.values == b.image?.values)
    for (one, other) in [(a.lidar, b.lidar), (a.relative, b.relative), (a.truth, b.truth)]
      + zip(a.predictions, b.predictions).map({ ($0.map, $1.map) })
    {
      #expect(one?.size == other?.size)
      #expect(one?.values.map(\.bitPattern) == other?.values.map(\.bitPattern))
    }
    #expect(a.predictions.map(\.header) == b.predictions.map(\.header))
  }

  /// A program that does something else than to read; its descriptor 4 is the socket.
  private func program(_ lines: String) throws -> String {
    try folder.put(script: lines, "reader-\(UUID().uuidString)")
  }

  /// The readers of the test's own file.
  private var readers: [pid_t] {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { pid_t($0) }.filter { number in
      let words = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(number)/cmdline"))) ?? Data()
      return String(decoding: words, as: UTF8.self).contains(folder.url.lastPathComponent)
    }
  }

  private func failure(_ body: () throws -> Void) throws -> FathomError {
    try #require(throws: FathomError.self) { try body() }
  }

  /// One line, of the file, with exit code 65.
  private func expect(_ error: FathomError, _ words: String) {
    #expect(error.kind == .badData)
    #expect(error.description.hasPrefix("cannot read the data set: \(path): "))
    #expect(error.reason.contains(words), "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test(
    "headers, frames, detections, masks and inspections are those of a reader in this process, to the bit")
  func sameData() throws {
    let near = try DatasetReader(readingFrom: path)
    let far = try remote(path)
    #expect(far.scenes == near.scenes && far.issues == near.issues && far.path == near.path)
    #expect(far.sources == near.sources)
    #expect(!far.scenes.isEmpty)
    for scene in near.scenes {
      for index in 0..<scene.frameCount {
        for arrays in [FrameArrays.all, .truth, [.lidar, .camera]] {
          expect(
            try far.frame(index, of: scene, including: arrays),
            is: try near.frame(index, of: scene, including: arrays))
        }
      }
      let (a, b) = (try near.objects(of: scene), try far.objects(of: scene))
      #expect(a?.objects.count == b?.objects.count && (a == nil) == (b == nil))
      #expect(a.map { "\($0)" } == b.map { "\($0)" })
      for index in (a?.objects ?? []).indices {
        let masks = (try near.mask(ofObject: index, in: scene), try far.mask(ofObject: index, in: scene))
        #expect(masks.0?.values.map(\.bitPattern) == masks.1?.values.map(\.bitPattern))
      }
      let outputs = (
        try near.detectorOutput(frame: 0, of: scene), try far.detectorOutput(frame: 0, of: scene)
      )
      #expect(
        outputs.0?.predictions == outputs.1?.predictions && outputs.0?.prototypes == outputs.1?.prototypes)
    }
    let program = try #require(BuiltCommand.path)
    let inspection = try RemoteSource.inspection(of: path, executable: program, external: ExternalFolders())
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    #expect(try encoder.encode(inspection) == encoder.encode(DatasetInspection(of: near)))
  }

  @Test("what is asked for together is what is asked for one by one, also where two processes read")
  func together() throws {
    let near = try DatasetReader(readingFrom: path)
    let far = try remote(path, threads: 2)
    #expect(readers.count == 2)
    for scene in near.scenes {
      let reduction = FrameReduction(lidarSize: scene.lidarSize)
      for arrays in [FrameArrays.all, [.all, .reduced], [.truth, .reduced], .camera] {
        let wanted = (0..<3 * scene.frameCount).map { FrameRequest($0 % scene.frameCount, arrays) }
        let found = try far.frames(wanted, of: scene, threads: 2)
        #expect(found.count == wanted.count)
        for (request, frame) in zip(wanted, found) {
          let whole = try near.frame(request.index, of: scene, including: arrays)
          expect(frame, is: arrays.contains(.reduced) ? reduction(whole) : whole)
        }
      }
      let count = try near.objects(of: scene)?.objects.count ?? 0
      let masks = try far.masks(ofObjects: Array(0..<count), in: scene, threads: 2)
      for index in 0..<count {
        #expect(masks[index]?.values == (try near.mask(ofObject: index, in: scene))?.values)
      }
      let wrong = [0, 99, 0, 98].map { FrameRequest($0, .camera) }
      let failed = try failure { _ = try far.frames(wrong, of: scene, threads: 2) }
      #expect(failed == (try failure { _ = try near.frame(99, of: scene, including: .camera) }))
    }
  }

  @Test("evaluations with many jobs, which several processes read for, give the bytes of one with one")
  func manyJobs() async throws {
    let data = folder.path("some.h5")
    #expect(
      await run("synthesize", data, "--preset", "sample", "--scenes", "2", "--frames", "11", "--quiet") == nil
    )
    for truth in ["stored", "multiview"] {
      var found: [String: Data] = [:]
      for jobs in ["1", "12"] {
        let output = folder.path("\(truth)-\(jobs)")
        let words = [
          "evaluate", data, "--truth", truth, "--jobs", jobs, "--output", output, "--no-figures",
          "--no-cache",
        ]
        let done = try BuiltCommand(words + ["--quiet"], in: folder.url, seconds: 120)
        #expect(done.code == 0, "\(done.errors)")
        for name in ["frames.csv", "summary.csv", "verdict.json", "report.html", "diagnosis.csv"] {
          let bytes = try Data(contentsOf: URL(fileURLWithPath: output + "/" + name))
          #expect(found[name] ?? bytes == bytes, "\(truth): \(name)")
          found[name] = bytes
        }
      }
    }
  }

  @Test(
    "a reduced frame is no longer than the LiDAR or 256, its image no longer than 160, and stays as it is")
  func reduced() throws {
    var frame = DepthFrame(index: 0, lidar: DepthMap(width: 320, height: 240, filledWith: 1))
    frame.truth = DepthMap(width: 1000, height: 500, values: (0..<500_000).map(Float.init))
    frame.image = Raster(width: 480, height: 330, filledWith: RGB(red: 9, green: 8, blue: 7))
    let reduction = FrameReduction(lidarSize: frame.lidar.size)
    let small = reduction(frame)
    #expect(small.truth?.size == RasterSize(width: 250, height: 125))
    // The third of four columns and rows.
    #expect(small.truth?.values[1] == 2006 && small.truth?.values[250] == 6002)
    #expect(small.image?.size == RasterSize(width: 160, height: 110))
    expect(reduction(small), is: small)
    #expect(FrameReduction(lidarSize: nil)(frame).truth?.size == RasterSize(width: 250, height: 125))
  }

  @Test("an error is the one that a reader in this process would have thrown, in the same words")
  func sameErrors() throws {
    let text = folder.path("text.h5")
    try Data("no HDF5".utf8).write(to: URL(fileURLWithPath: text))
    let half = folder.path("half.h5")
    try Data(contentsOf: URL(fileURLWithPath: path)).prefix(20_000).write(to: URL(fileURLWithPath: half))
    for file in [text, half, folder.path("absent.h5"), folder.url.path] {
      let near = try failure { _ = try DatasetReader(readingFrom: file) }
      let far = try failure { _ = try remote(file) }
      #expect(far == near)
    }
    let near = try DatasetReader(readingFrom: path)
    let far = try remote(path)
    let scene = near.scenes[0]
    let errors = (
      try failure { _ = try near.frame(1000, of: scene) }, try failure { _ = try far.frame(1000, of: scene) }
    )
    #expect(errors.0 == errors.1)
    // It goes on after an error.
    #expect(try far.frame(0, of: scene).index == 0)
  }

  @Test(
    "a reader that the system kills is started and asked once more: the answer is the same",
    arguments: [SIGKILL, SIGHUP])
  func killedMeanwhile(_ signal: Int32) throws {
    let near = try DatasetReader(readingFrom: path)
    let source = try remote(path)
    let reader = try #require(readers.first)
    // Stopped first, so that it cannot answer before its end.
    try #require(kill(reader, SIGSTOP) == 0)
    Thread.detachNewThread {
      usleep(200_000)
      kill(reader, signal)
      kill(reader, SIGCONT)
    }
    for scene in near.scenes {
      expect(
        try source.frame(0, of: scene, including: .all), is: try near.frame(0, of: scene, including: .all))
    }
    #expect(readers.count == 1 && readers != [reader])
  }

  @Test(
    "one that is killed at its start is started once more; killed twice, the machine is at fault and not the file",
    arguments: ["KILL", "TERM", "HUP"])
  func killedAtStart(_ signal: String) throws {
    let built = try #require(BuiltCommand.path)
    let starts = folder.path("starts")
    func killed(_ times: Int) throws -> String {
      try program(
        "echo >> \(starts); [ $(wc -l < \(starts)) -gt \(times) ] || kill -\(signal) $$; exec \(built) \"$@\""
      )
    }
    #expect(try remote(path, executable: killed(1)).scenes == DatasetReader(readingFrom: path).scenes)
    try FileManager.default.removeItem(atPath: starts)
    let error = try failure { _ = try remote(path, executable: killed(2)) }
    #expect(error.kind == .noRoom)
    #expect(
      error.description.hasPrefix(
        "cannot read the data set: \(path): the process that reads it was killed by the system (out of memory?); try again"
      ))
    #expect(try String(contentsOfFile: starts, encoding: .utf8).count == 2)
  }

  @Test("after its second end a reader is not asked again, and the reason stays")
  func killedAlways() throws {
    let (built, starts) = (try #require(BuiltCommand.path), folder.path("starts"))
    let source = try remote(
      path,
      executable: program(
        "echo >> \(starts); [ $(wc -l < \(starts)) -eq 1 ] || kill -KILL $$; exec \(built) \"$@\""))
    try #require(kill(try #require(readers.first), SIGKILL) == 0)
    for index in 0..<2 {
      let error = try failure { _ = try source.frame(index, of: source.scenes[0]) }
      #expect(error.kind == .noRoom && error.reason.contains("was killed by the system"))
    }
    #expect(try String(contentsOfFile: starts, encoding: .utf8).count == 2)
  }

  @Test(
    "a reader that crashes, or exceeds its time, is one sentence",
    arguments: [SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGXFSZ, SIGXCPU])
  func crashed(_ signal: Int32) throws {
    let source = try remote(path)
    try #require(kill(try #require(readers.first), signal) == 0)
    usleep(100_000)
    expect(
      try failure { _ = try source.frame(0, of: source.scenes[0]) },
      signal == SIGXCPU ? "more processor time than allowed" : "the process that reads it failed")
    // And every later question.
    expect(
      try failure { _ = try source.frame(1, of: source.scenes[0]) },
      signal == SIGXCPU ? "more processor time than allowed" : "the process that reads it failed")
    #expect(readers.isEmpty)
  }

  @Test("a reader that does nothing is stopped and started once more; then the machine is at fault")
  func hang() throws {
    let starts = folder.path("starts")
    let silent = try program("echo >> \(starts); exec sleep 600")
    var start = ReaderConnection.Start(
      path: path, noun: "data set", executable: silent, subcommand: ReaderProcess.subcommand,
      argument: ReaderOptions(
        path: path, isLenient: false, external: ExternalFolders(), needsAllLayers: false), seconds: 10
    ) { open("/dev/null", O_RDONLY) }
    #expect(start.limits.idle == 60 && start.limits.most == 300)
    start.limits.idle = 1
    // One that fits into the socket, and one that does not.
    for length in [8, 4 << 20] {
      try? FileManager.default.removeItem(atPath: starts)
      let connection = try ReaderConnection(start)
      var question = WireWriter()
      question.put([UInt8](repeating: 1, count: length))
      let error = try failure { try connection.ask(question) { _ in } }
      #expect(error.kind == .noRoom)
      #expect(
        error.reason == "the process that reads it makes no progress: the machine or its disk does not answer"
      )
      #expect(try String(contentsOfFile: starts, encoding: .utf8).count == 2)
    }
  }

  @Test("what a reader finds while its disk fails is not the file's fault")
  func brokenDisk() throws {
    let library = folder.path("faults.so")
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments =
      ["cc", "-shared", "-fPIC", "-o", library]
      + [PackageFiles.root.appendingPathComponent("Tests/Faults/faults.c").path, "-ldl"]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0)
    let built = try #require(BuiltCommand.path)
    // One read after the other fails, from the first that HDF5 makes on.
    var kinds: [FathomError.Kind] = []
    for read in 5..<25 {
      let failing = try program(
        "LD_PRELOAD=\(library) FATHOM_FAULT=read FATHOM_FAULT_AT=\(read) exec \(built) \"$@\"")
      do {
        let source = try remote(path, executable: failing)
        for scene in source.scenes { _ = try source.frame(0, of: scene) }
      } catch let error as FathomError {
        kinds.append(error.kind)
      }
    }
    #expect(kinds.count > 5 && Set(kinds) == [.inputOutput], "\(kinds)")
  }

  @Test("answers that cannot be are refused: too long, cut, empty, no JSON")
  func lies() throws {
    for (lines, words) in [
      (#"printf '\377\377\377\377\377\377\377\177' >&4; sleep 5"#, "more than fits into an answer"),
      (#"printf '\377\377\377\377\377\377\377\377' >&4; sleep 5"#, "more than fits into an answer"),
      (#"printf '\144\0\0\0\0\0\0\0abc' >&4"#, "the process that reads it failed"),
      (#"printf '\0\0\0\0\0\0\0\0' >&4; sleep 5"#, "an impossible answer"),
      (#"printf '\013\0\0\0\0\0\0\0\0\002\0\0\0\0\0\0\0{}' >&4; sleep 5"#, "an impossible answer"),
      (
        #"printf '\011\0\0\0\0\0\0\0\0\377\377\377\377\377\377\377\177' >&4; sleep 5"#,
        "an impossible answer"
      ),
      // Through the shared memory: more than it has, and nothing but zeros.
      (#"printf '\376\377\377\373\377\377\377\377' >&4; sleep 5"#, "more than fits into an answer"),
      (#"printf '\377\377\376\377\377\377\377\377' >&4; sleep 5"#, "an impossible answer"),
      ("exit 0", "the process that reads it failed"), ("kill -SEGV $$", "the process that reads it failed"),
    ] {
      let liar = try program(lines)
      expect(try failure { _ = try remote(path, executable: liar) }, words)
    }
    let error = try failure { _ = try remote(path, executable: folder.path("absent")) }
    #expect(error.kind == .inputOutput && error.reason.contains("cannot be started"))
  }

  @Test("a reader has its limits, and the layers that it says it has")
  func limits() throws {
    let source = try remote(path)
    let reader = try #require(readers.first)
    let limits = try String(contentsOfFile: "/proc/\(reader)/limits", encoding: .utf8)
    func limit(_ name: String) -> Int? {
      let line = limits.split(separator: "\n").first { $0.hasPrefix(name) }
      return line?.dropFirst(name.count).split(separator: " ").first.flatMap { Int($0) }
    }
    #expect(limit("Max data size") == Int(ReaderProcess.memory))
    #expect(limit("Max core file size") == 0 && limit("Max file size") == 0)
    #expect(limit("Max open files") == 24 && limit("Max stack size") == 8 << 20)
    #expect((10...60).contains(limit("Max cpu time") ?? 0))
    let status = try String(contentsOfFile: "/proc/\(reader)/status", encoding: .utf8)
    let layers = try #require(source.protections)
    #expect(layers.contains("limits"))
    #expect(status.contains("NoNewPrivs:\t1"))
    #expect(status.contains("Seccomp:\t2") == layers.contains("seccomp"))
    // Nothing of this process is open in it but the file and the socket.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(reader)/fd").compactMap {
      Int($0)
    }
    #expect(open.count <= 6 && Set(0...4).isSubset(of: open))
    withExtendedLifetime(source) {}
  }

  @Test("a reader ends with who asked it")
  func ends() throws {
    func read() throws {
      let source = try remote(path)
      #expect(readers.count == 1 && !source.scenes.isEmpty)
      withExtendedLifetime(source) {}
    }
    try read()
    #expect(readers.isEmpty)
  }

  @Test(
    "timing.csv and run.json say what protected the reading; all else has the same bytes as when the file is read here"
  )
  func manifest() async throws {
    let words = ["--methods", "ols", "--no-figures", "--no-gallery", "--no-diagnosis", "--quiet"]
    #expect(await run(["evaluate", path, "--output", folder.path("near")] + words) == nil)
    let command = try BuiltCommand(
      ["evaluate", path, "--output", folder.path("far")] + words, in: folder.url, seconds: 60)
    #expect(command.code == 0, "\(command.errors)")
    func manifest(_ run: String) throws -> RunManifest {
      try JSONDecoder().decode(
        RunManifest.self, from: Data(contentsOf: URL(fileURLWithPath: folder.path(run + "/run.json"))))
    }
    func content(_ file: String) throws -> String {
      try String(contentsOfFile: folder.path(file), encoding: .utf8)
    }
    #expect(try content("far/frames.csv") == content("near/frames.csv"))
    var (far, near) = (try manifest("far"), try manifest("near"))
    #expect(far.inputs[0].protections == ReaderLayers.availableNames)
    #expect(far.inputs[0].protections?.first == "limits" && near.inputs[0].protections == nil)
    far.inputs[0].protections = nil
    // Only the command is linked with the name of its build.
    far.build = near.build
    #expect(try far.json == near.json)
    #expect(try content("far/timing.csv").contains("reader_protections,,,,limits"))
    #expect(try !content("near/timing.csv").contains("reader_protections"))
  }

  @Test("a zip whose names are marked as UTF-8 is read like its folder, confined as well")
  func markedNames() async throws {
    #expect(
      await run(
        "export", path, "--as", "stray", "--scenes", "room-01", "--output", folder.path("stray"), "--quiet")
        == nil)
    let root = folder.path("stray")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).sorted().compactMap {
      name -> MadeArchive.Entry? in
      let url = URL(fileURLWithPath: root + "/" + name)
      guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { return nil }
      return .file("K\u{fc}che/" + name, [UInt8](try Data(contentsOf: url)))
    }
    try Data(MadeArchive.zip(files)).write(to: URL(fileURLWithPath: folder.path("marked.zip")))
    let answer = try BuiltCommand(["inspect", folder.path("marked.zip")], in: folder.url, seconds: 60)
    #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.errors)")
  }
}
