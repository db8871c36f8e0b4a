import DepthFusion
import Testing

@testable import DepthCalibration
