// DepthSynthesis
