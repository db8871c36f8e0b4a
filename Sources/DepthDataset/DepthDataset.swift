// DepthDataset
