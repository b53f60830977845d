"""Fit the weights of `progress_plugin/selection`, and measure them on logs they have not seen."""
