package import FathomDocuments
package import DepthRendering
public import ArgumentParser
public import DepthDataset
public import FathomRuns

extension TruthOrigin: ExpressibleByArgument {}
extension LatexChoice.Unit: ExpressibleByArgument {}
extension RecordingLayout: ExpressibleByArgument {}
extension RenderFormat: ExpressibleByArgument {}
extension FrameRange: ExpressibleByArgument { public init?(argument: String) { self.init(argument) } }
