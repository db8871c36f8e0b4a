// DepthEvaluation
