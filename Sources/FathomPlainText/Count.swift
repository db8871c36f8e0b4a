/// "1 frame", "8 frames", "1 box", "2 boxes".
/// - Parameter noun: In the singular; its plural adds "s" unless it is given.
public func counted(_ number: Int, _ noun: String, plural: String? = nil) -> String {
  "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}
