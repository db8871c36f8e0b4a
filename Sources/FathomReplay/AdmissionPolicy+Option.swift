public import DepthCore

extension AdmissionPolicy: OptionValue {}
