/// Every test, in the order in which corrections must be made: a wrong unit would disturb all that follow.
public enum Conventions {
  public static let all: [any Convention] = [
    StoredMatrixConvention(), IntrinsicsSizeConvention(), AspectRatioConvention(), TimeOrderConvention(),
    TimeUnitConvention(), PixelOrderConvention(), RepeatedFramesConvention(), ConfidenceScaleConvention(),
    ConfidenceOrderConvention(),
    ConfidencePlacementConvention(), FillValueConvention(), DepthAcrossFramesConvention(),
    DepthUnitConvention(), DepthStepsConvention(),
    RelativeLayoutConvention(), RelativeQuantisationConvention(), RelativeRangeConvention(),
    ImageOrientationConvention(),
    GeometryConvention(), FloorConvention(), UpAxisConvention(), TruthConvention(), PredictionConvention(),
    PairingConvention(), RegistrationConvention(), RelativeFormConvention(), ObjectFlipsConvention(),
    UntestableConvention(),
  ]
}
