import Testing

@testable import FathomMapFiles

@Suite("What times and texts of numbers count in")
struct TimeUnitTests {
  @Test("dates and steps between frames tell the unit of times, and decimals are seconds")
  func units() {
    #expect(TimeUnit(of: [1_305_031_100_120_000_000, 1_305_031_100_153_333_248]) == .nanoseconds)
    #expect(TimeUnit(of: [1_305_031_100_120]) == .milliseconds)
    #expect(TimeUnit(of: [1_305_031_100.12]) == .seconds)
    #expect(TimeUnit(of: [0, 33_333_333, 66_666_666]) == .nanoseconds)
    #expect(TimeUnit(of: [0, 33_333, 66_666]) == .microseconds)
    #expect(TimeUnit(of: [0, 33, 67]) == .milliseconds)
    #expect(TimeUnit(of: [0, 1, 2]) == .seconds)
    #expect(TimeUnit(of: [0, 33.5, 67]) == .seconds)
    #expect(TimeUnit(of: []) == .seconds)
    // A camera's clock in milliseconds; keyframes at any time.
    #expect(TimeUnit(of: [85123, 85156.3, 85189.7, 85223, 85290]) == .milliseconds)
    #expect(TimeUnit(of: [12.5, 15.25, 41, 60.5, 99]) == .seconds)
  }

  @Test("numbers of a name are divided, and the one with decimals is the time")
  func numbersOfNames() {
    let capture = FilePattern("depth_*_*.png").capture(in: "depth_3_85223.5.png")
    #expect(capture == "3_85223.5")
    #expect(FrameKey.number("3_85223.5") == 3 && FrameKey.time("3_85223.5") == 85223.5)
    #expect(FilePattern("*/d-*-*.pgm").capture(in: "a/d-1300000000.5-123456.pgm") == "1300000000.5_123456")
    #expect(FrameKey.time("1300000000.5_123456") == 1300000000.5)
    #expect(FrameKey.time("41069021_305.401") == 305.401)
  }

  @Test("files in nanoseconds are found by times in seconds")
  func nanoseconds() throws {
    let index = FileIndex(
      [("a.png", "1305031100120000000"), ("b.png", "1305031100153333333")], .time(tolerance: 0.02))
    #expect(index.unit == .nanoseconds)
    #expect(index.file(of: .time(1_305_031_100.15)) == "b.png")
    #expect(index.file(of: .time(1_305_031_100.3)) == nil)
  }

  @Test("decimal commas are read where semicolons or blanks separate, and no others")
  func decimalCommas() throws {
    let sheet = try NumberTable("time;x\n0,5;-1,25\n1;2,0\n")
    #expect(sheet.hasDecimalCommas && sheet.header == ["time", "x"])
    #expect(sheet.rows == [[0.5, -1.25], [1, 2]])
    #expect(try NumberTable("212,0 0,0 126,3\n0 211,5 97,1\n").rows == [[212, 0, 126.3], [0, 211.5, 97.1]])
    for plain in ["1,2,3\n4,5,6\n", "1, 2, 3\n4, 5, 6\n", "1;2;3\n4;5;6\n"] {
      let table = try NumberTable(plain)
      #expect(!table.hasDecimalCommas && table.rows == [[1, 2, 3], [4, 5, 6]])
    }
    #expect(try NumberTable("0.5,1,5\n").rows == [[0.5, 1, 5]])
  }
}
