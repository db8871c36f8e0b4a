import FathomPlainText
import Testing

@Suite("Text that cannot be seen is shown")
struct VisibleTextTests {
  @Test(
    "control characters, ends of lines and overrides of the writing direction are written out",
    arguments: [
      ("\u{1b}[31mred", "\\u{1b}[31mred"), ("a\nfathom: done", "a\\u{a}fathom: done"), ("a\rb", "a\\u{d}b"),
      ("a\r\nb", "a\\u{d}\\u{a}b"), ("\u{202e}txt.exe", "\\u{202e}txt.exe"), ("\u{9b}31m", "\\u{9b}31m"),
      ("a\u{2028}b", "a\\u{2028}b"), ("zero\u{200b}width", "zero\\u{200b}width"), ("\u{7f}", "\\u{7f}"),
      ("\u{fffe}", "\\u{fffe}"), ("e\u{1b}\u{301}", "e\\u{1b}\u{301}"),
    ])
  func shown(_ text: String, _ visible: String) { #expect(text.visible == visible) }

  @Test(
    "letters of every script, accents and joined pictograms stay as they are",
    arguments: ["room-01", "Küche", "部屋", "غرفة", "👩‍👩‍👧", "e\u{301}", "می‌خواهم", ""])
  func untouched(_ text: String) { #expect(text.visible == text) }

  @Test("ends of lines and tabulators stay where the text has lines")
  func lines() { #expect("a\n\tb\r\u{1b}".visibleLines == "a\n\tb\\u{d}\\u{1b}") }
}
