// DepthReport
