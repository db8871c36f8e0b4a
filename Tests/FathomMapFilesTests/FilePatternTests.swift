import FathomMapFiles
import Testing

@Suite struct FilePatternTests {
  @Test func starsSayWhatTellsFramesApart() {
    #expect(FilePattern("depth/*.png").capture(in: "depth/000010.png") == "000010")
    #expect(FilePattern("depth/*.png").capture(in: "depth/a/000010.png") == nil)
    #expect(FilePattern("*/depth/*.{png,npy}").capture(in: "seq/depth/7.npy") == "7")
    #expect(FilePattern("frame-*.depth.png").capture(in: "frame-000010.depth.png") == "000010")
    #expect(FilePattern("frame-*.depth.png").capture(in: "frame-000010.color.png") == nil)
    #expect(FilePattern("*depth*.png").capture(in: "arkit_depth.png") == "arkit_")
    #expect(FilePattern("odometry.csv").capture(in: "odometry.csv") == "")
    #expect(FilePattern("depth/*.png").capture(in: "depth/000010.PNG") == "000010")
    #expect(FilePattern("depth/*.{JPG,png}").capture(in: "depth/A.jpg") == "A")
    #expect(FilePattern("depth/*.png").capture(in: "DEPTH/000010.png") == nil)
    #expect(FilePattern("{rgb,color}/{*.jpg,img_*.png}").capture(in: "color/img_7.PNG") == "7")
    #expect(FilePattern("frames/*/depth.png").capture(in: "frames/000010/depth.png") == "000010")
    #expect(FilePattern("a{b/*.png").capture(in: "a{b/1.png") == "1")
    #expect(FilePattern("a}*").capture(in: "a}1") == "1")
  }

  /// Words of braces multiply, and stars have many ways to share a name.
  @Test func longPatternsTakeNoLongTime() {
    let braces = String(repeating: "{a,b,c,d,*e}", count: 200)
    #expect(FilePattern(braces).capture(in: String(repeating: "d", count: 200)) == "")
    #expect(FilePattern(braces).capture(in: String(repeating: "d", count: 199) + "xye") == "xy")
    #expect(FilePattern(braces).capture(in: String(repeating: "f", count: 200)) == nil)
    #expect(
      FilePattern(String(repeating: "*a", count: 100)).capture(in: String(repeating: "a", count: 250) + "b")
        == nil)
  }
}
