/// Every test, in the order in which corrections must be made: a wrong unit would disturb all that follow.
public enum Conventions {
  public static let all: [any Convention] = [
    StoredMatrixConvention(), TimeOrderConvention(), ConfidenceScaleConvention(), ConfidenceOrderConvention(),
    DepthUnitConvention(),
    RelativeLayoutConvention(),
    RelativeQuantisationConvention(), GeometryConvention(), FloorConvention(), TruthConvention(),
    PredictionConvention(),
    RegistrationConvention(), RelativeFormConvention(), ObjectFlipsConvention(),
  ]
}
