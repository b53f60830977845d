"""Fit the weights of `progress_plugin/selection`, and measure them on logs that they were not fitted to."""
