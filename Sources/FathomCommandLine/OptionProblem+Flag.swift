package import DepthCore
import FathomPlainText
import FathomRuns

extension OptionProblem {
  /// As flags name the option.
  package var onCommandLine: String {
    option == DataSelection.option ? reason.onCommandLine : "\(option.flag): \(reason.onCommandLine)"
  }
}
